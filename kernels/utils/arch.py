"""Which GPU a tensor lives on, as the name that configs and launch branches use."""

import os

import torch

SUPPORTED_ARCHES = ("sm_90", "gfx942", "gfx950", "gfx1250")

# Triton's interpreter runs on CPU tensors; it takes the configs of this arch.
INTERPRETED_ARCH = "sm_90"

_FP8_DTYPES = {
    "sm_90": torch.float8_e4m3fn,
    "gfx942": torch.float8_e4m3fnuz,
    "gfx950": torch.float8_e4m3fn,
    "gfx1250": torch.float8_e4m3fn,
}

_arch_of_index: dict[int, str] = {}


def is_interpreted() -> bool:
    """Whether Triton kernels run in its interpreter (`TRITON_INTERPRET=1`)."""
    return os.environ.get("TRITON_INTERPRET", "").lower() in ("1", "true", "on", "yes", "y")


def get_arch(device: torch.device) -> str:
    """The arch of `device`, one of `SUPPORTED_ARCHES`.

    Raises `ValueError` for an arch without kernels of its own, which never gets those of another,
    and for a device that is no GPU, unless the interpreter is on.
    """
    if device.type == "cuda":
        index = torch.cuda.current_device() if device.index is None else device.index
        arch = _arch_of_index.get(index)
        if arch is None:
            arch = _arch_of_index[index] = _check_arch(_detect(index))
        return arch
    if device.type == "cpu" and is_interpreted():
        return INTERPRETED_ARCH
    raise ValueError(
        f"device {device} runs no Triton kernels: move the tensor to a GPU, "
        "or set TRITON_INTERPRET=1 before importing triton"
    )


def fp8_dtype(arch: str) -> torch.dtype:
    """The e4m3 type that `arch` computes with: fnuz on gfx942, fn elsewhere."""
    return _FP8_DTYPES[_check_arch(arch)]


def _detect(index: int) -> str:
    properties = torch.cuda.get_device_properties(index)
    if torch.version.hip:
        return properties.gcnArchName.partition(":")[0]
    return f"sm_{properties.major}{properties.minor}"


def _check_arch(arch: str) -> str:
    if arch not in SUPPORTED_ARCHES:
        raise ValueError(
            f"arch {arch} is not supported; kernels exist for {', '.join(SUPPORTED_ARCHES)}"
        )
    return arch
