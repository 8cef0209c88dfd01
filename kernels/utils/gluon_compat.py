"""The Gluon names that moved between Triton 3.6 and 3.9, under one spelling.

Device modules under `kernels/_gluon_kernels` import these instead of branching on a version.
"""

from triton.experimental.gluon import constexpr_function
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language import amd
from triton.experimental.gluon.language.nvidia.hopper import tma

# 3.8 renamed the Hopper copies; 3.9 keeps the old names only to raise.
if hasattr(tma, "async_load"):
    tma_load = tma.async_load
    tma_store = tma.async_store
else:
    tma_load = tma.async_copy_global_to_shared
    tma_store = tma.async_copy_shared_to_global

# 3.7 renamed the barrier among the warps of a program (or of one of its partitions).
barrier = gl.barrier if hasattr(gl, "barrier") else gl.thread_barrier

# 3.8 named gfx1250 after its architecture.
gfx1250 = amd.cdna5 if hasattr(amd, "cdna5") else amd.gfx1250


@constexpr_function
def wmma_layout(warps: tuple[int, int], instr_shape: list[int]) -> amd.AMDWMMALayout:
    """Accumulators of gfx1250, the tile shared by a grid of warps, neighbours along N first."""
    # 3.7 replaced the shape of the grid by the step that each bit of the warp's index makes.
    if "warps_per_cta" in amd.AMDWMMALayout.__dataclass_fields__:
        return amd.AMDWMMALayout(3, True, warps_per_cta=list(warps), instr_shape=instr_shape)
    warps_m, warps_n = warps
    steps_n = [[0, 1 << bit] for bit in range(warps_n.bit_length() - 1)]
    steps_m = [[1 << bit, 0] for bit in range(warps_m.bit_length() - 1)]
    return amd.AMDWMMALayout(3, True, warp_bases=steps_n + steps_m, instr_shape=instr_shape)
