"""Which output tile a program computes."""

import triton
import triton.language as tl


@triton.jit
def grouped_tile(pid, num_tiles_m, num_tiles_n, GROUP_SIZE_M: tl.constexpr):
    """(tile_m, tile_n) of program `pid`, for pid in [0, num_tiles_m * num_tiles_n).

    Programs that run at one time fill groups of GROUP_SIZE_M rows of tiles, column by column:
    they then share more of both operands in the L2 than rows of tiles would.
    """
    tiles_in_group = GROUP_SIZE_M * num_tiles_n
    first_m = pid // tiles_in_group * GROUP_SIZE_M
    rows = min(num_tiles_m - first_m, GROUP_SIZE_M)
    in_group = pid % tiles_in_group
    return first_m + in_group % rows, in_group // rows
