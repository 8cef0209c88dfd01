"""What the quantization wrappers demand of their arguments, said with the argument's name."""

import torch

from kernels.utils.arch import fp8_dtype

FLOAT_DTYPES = (torch.float32, torch.float16, torch.bfloat16)

# Programs and groups are counted in 32 bits; elements are not.
_MAX_COUNT = 2**31 - 2**20


def check_input(name: str, tensor: torch.Tensor, dtypes=FLOAT_DTYPES) -> tuple[int, int]:
    """`tensor` is [M, N] with adjacent columns; returns (M, N)."""
    check_tensor(name, tensor, dtypes)
    if tensor.dim() != 2:
        raise ValueError(f"{name} must have 2 dimensions [M, N], not {tensor.dim()}")
    check_adjacent(name, tensor)
    return tensor.shape[0], tensor.shape[1]


def check_tensor(name: str, tensor: torch.Tensor, dtypes) -> None:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(tensor).__name__}")
    if tensor.dtype not in dtypes:
        allowed = ", ".join(str(dtype) for dtype in dtypes)
        raise TypeError(f"{name} has dtype {tensor.dtype}; allowed: {allowed}")


def check_adjacent(name: str, tensor: torch.Tensor) -> None:
    # The strides of an empty tensor, or of a dimension of one, mean nothing.
    if tensor.numel() and tensor.shape[-1] > 1 and tensor.stride(-1) != 1:
        raise ValueError(f"{name} must have stride 1 in its last dimension: {tensor.stride()}")


def check_like(name: str, tensor: torch.Tensor, other: torch.Tensor, other_name: str) -> None:
    """`tensor` has the shape, dtype and device of `other`, and adjacent columns."""
    check_tensor(name, tensor, (other.dtype,))
    if tensor.shape != other.shape:
        raise ValueError(
            f"{name} has shape {tuple(tensor.shape)}, {other_name} {tuple(other.shape)}"
        )
    check_device(name, tensor, other.device)
    check_adjacent(name, tensor)


def check_device(name: str, tensor: torch.Tensor, device: torch.device) -> None:
    if tensor.device != device:
        raise ValueError(f"{name} is on {tensor.device}, the input on {device}")


def check_vector(name: str, tensor: torch.Tensor, n: int, dtypes, device: torch.device) -> None:
    """`tensor` is [n], contiguous."""
    check_tensor(name, tensor, dtypes)
    if tensor.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), not {tuple(tensor.shape)}")
    check_device(name, tensor, device)
    check_adjacent(name, tensor)


def check_scale(name: str, tensor: torch.Tensor, device: torch.device) -> None:
    """`tensor` is one fp32 value."""
    check_tensor(name, tensor, (torch.float32,))
    if tensor.numel() != 1:
        raise ValueError(f"{name} must hold one value, not {tensor.numel()}")
    check_device(name, tensor, device)


def check_quant_dtype(dtype: torch.dtype | None, arch: str, allow_int8: bool = True) -> torch.dtype:
    """The type to quantize to: e4m3 as `arch` has it where `dtype` is None."""
    e4m3 = fp8_dtype(arch)
    if dtype is None:
        return e4m3
    allowed = (e4m3, torch.int8) if allow_int8 else (e4m3,)
    if dtype not in allowed:
        raise TypeError(
            f"dtype {dtype} is not supported on {arch}; "
            f"allowed: {', '.join(str(dtype) for dtype in allowed)}"
        )
    return dtype


def check_count(name: str, count: int) -> None:
    if count > _MAX_COUNT:
        raise ValueError(f"{name} is too large: {count} tiles or groups, at most {_MAX_COUNT}")


def output(
    name: str,
    given: torch.Tensor | None,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    device: torch.device,
    adjacent: bool = True,
) -> torch.Tensor:
    """`given`, checked, or a new tensor where it is None."""
    if given is None:
        return torch.empty(shape, dtype=dtype, device=device)
    check_tensor(name, given, (dtype,))
    if given.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {tuple(given.shape)}")
    check_device(name, given, device)
    if adjacent:
        check_adjacent(name, given)
    return given


def as_one_row(*tensors: torch.Tensor) -> list[torch.Tensor]:
    """The tensors, seen as one row each where all of them are contiguous."""
    if all(tensor.is_contiguous() for tensor in tensors):
        return [tensor.view(1, -1) for tensor in tensors]
    return list(tensors)


def as_pairs(name: str, tensor: torch.Tensor) -> torch.Tensor:
    """`tensor` [M, N] seen as [M, N / 2] words, each a pair of neighbours; no copy."""
    word = torch.int64 if tensor.dtype == torch.float32 else torch.int32
    if (tensor.shape[0] > 1 and tensor.stride(0) % 2) or tensor.data_ptr() % word.itemsize:
        raise ValueError(
            f"{name} must begin at a multiple of {word.itemsize} bytes, and so must each row: "
            f"its row stride is {tensor.stride(0)} elements"
        )
    if tensor.shape[0] == 1 and tensor.stride(0) % 2:
        tensor = tensor.as_strided(tensor.shape, (tensor.shape[1], 1))
    return tensor.view(word)


def check_whole_groups(name: str, n: int, group_size: int) -> None:
    if n % group_size:
        raise ValueError(f"{name} has {n} columns, which is no multiple of {group_size}")
