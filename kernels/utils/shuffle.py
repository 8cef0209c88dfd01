"""Layouts of weights that a kernel reads with whole, contiguous loads."""

import torch

ROWS = 16
K_BLOCK = 32


def shuffle_weight(w: torch.Tensor) -> torch.Tensor:
    """W [N, K] of one-byte elements -> [N / 16, K * 16], contiguous.

    Element (n, k) moves to row n // 16; there, blocks of 32 of K follow each other, and a block
    is [half of K, n % 16, k % 16]. So the 16 bytes that one lane of a matrix unit reads are
    contiguous, and a tile of W is contiguous per 16 rows. Raises `TypeError` for a wider
    element, `ValueError` for N not a multiple of 16 or K not a multiple of 32.
    """
    if w.dtype.itemsize != 1:
        raise TypeError(f"w: an element of one byte is needed, got {w.dtype}")
    if w.dim() != 2 or w.shape[0] % ROWS or w.shape[1] % K_BLOCK:
        raise ValueError(
            f"w: shape [N, K] with N % {ROWS} == 0 and K % {K_BLOCK} == 0 is needed, "
            f"got {list(w.shape)}"
        )
    n, k = w.shape
    blocks = w.view(torch.uint8).reshape(n // ROWS, ROWS, k // K_BLOCK, 2, K_BLOCK // 2)
    return blocks.permute(0, 2, 3, 1, 4).reshape(n // ROWS, k * ROWS).view(w.dtype)


def unshuffle_weight(w: torch.Tensor) -> torch.Tensor:
    """The inverse of `shuffle_weight`: [N / 16, K * 16] -> [N, K]."""
    rows, width = w.shape
    k = width // ROWS
    blocks = w.view(torch.uint8).reshape(rows, k // K_BLOCK, 2, ROWS, K_BLOCK // 2)
    return blocks.permute(0, 3, 1, 2, 4).reshape(rows * ROWS, k).view(w.dtype)
