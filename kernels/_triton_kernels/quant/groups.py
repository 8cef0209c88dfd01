"""Tiles of groups: which rows and columns belong to the groups of one program."""

import triton
import triton.language as tl


@triton.jit
def group_tile(n_groups, groups_a_row, BLOCK_SIZE_G: tl.constexpr):
    """Row, group within the row, and mask of this program's groups, counted along the rows."""
    groups = tl.program_id(0) * BLOCK_SIZE_G + tl.arange(0, BLOCK_SIZE_G)
    row = groups // groups_a_row
    group = groups - row * groups_a_row
    return row.to(tl.int64), group, groups < n_groups
