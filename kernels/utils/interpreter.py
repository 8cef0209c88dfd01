"""Triton's interpreter, made to round as GPUs do.

As released up to 3.8, the interpreter truncates fp32 to bf16, rounds to fp8 wrongly (ties away,
no carry into the exponent), rounds an fma twice and lets NaN win a max that must ignore it. Its
numbers are then not those of the kernel. The operations concerned are replaced by exact ones.
It also can't loop over a range of tensors under NumPy 2.4, and takes minutes for a reduction by a
function of one's own, element by element: mended beside them.
"""

import numpy as np
import torch
from triton._C.libtriton import ir
from triton.language import core as tl
from triton.runtime import interpreter

_TORCH_DTYPES = {
    tl.float16: torch.float16,
    tl.bfloat16: torch.bfloat16,
    tl.float32: torch.float32,
    tl.float64: torch.float64,
    tl.float8e4nv: torch.float8_e4m3fn,
    tl.float8e4b8: torch.float8_e4m3fnuz,
    tl.float8e5: torch.float8_e5m2,
}
_INT_DTYPES = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}


def round_as_the_hardware_does() -> None:
    """Put the exact operations in place; a second call changes nothing."""
    builder = interpreter.InterpreterBuilder
    if getattr(builder, "rounds_as_the_hardware_does", False):
        return
    builder.rounds_as_the_hardware_does = True
    cast_impl, fp_to_fp, clampf = builder.cast_impl, builder.create_fp_to_fp, builder.create_clampf

    def cast(self, src, dst_type):
        if _is_exact_cast(src.dtype.scalar, dst_type.scalar):
            return _convert(src, dst_type.scalar)
        return cast_impl(self, src, dst_type)

    def create_fp_to_fp(self, src, dst_type, rounding_mode):
        nearest = rounding_mode in (None, ir.ROUNDING_MODE.RTNE)
        if nearest and _is_exact_cast(src.dtype.scalar, dst_type.scalar):
            return _convert(src, dst_type.scalar)
        return fp_to_fp(self, src, dst_type, rounding_mode)

    def create_clampf(self, arg, lo, hi, propagate_nans):
        if propagate_nans == ir.PROPAGATE_NAN.NONE:
            return self.create_minnumf(self.create_maxnumf(arg, lo), hi)
        return clampf(self, arg, lo, hi, propagate_nans)

    builder.cast_impl = cast
    builder.create_fp_to_fp = create_fp_to_fp
    builder.create_clampf = create_clampf
    builder.create_fma = _fma
    builder.create_maxnumf = lambda self, lhs, rhs: self.binary_op(lhs, rhs, np.fmax)
    builder.create_minnumf = lambda self, lhs, rhs: self.binary_op(lhs, rhs, np.fmin)

    interpreter.ReduceOps.generic_reduce = _reduce_by_halves

    patch_lang_tensor = interpreter._patch_lang_tensor

    def patch_tensor(tensor, scope):
        patch_lang_tensor(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.item()))

    interpreter._patch_lang_tensor = patch_tensor


def _is_exact_cast(src: tl.dtype, dst: tl.dtype) -> bool:
    return src in _TORCH_DTYPES and dst in _TORCH_DTYPES


def _convert(src, dst: tl.dtype):
    bits = torch.from_numpy(np.ascontiguousarray(src.data).view(f"u{src.data.itemsize}"))
    values = bits.view(_TORCH_DTYPES[src.dtype.scalar])
    target = _TORCH_DTYPES[dst]
    if dst.is_fp8():
        limit = torch.finfo(target).max
        values = values.clamp(-limit, limit)  # the hardware saturates; torch would give NaN
    converted = values.to(target).view(_INT_DTYPES[dst.primitive_bitwidth]).numpy()
    return interpreter.TensorHandle(converted.view(interpreter._get_np_dtype(dst)), dst)


def _fma(self, x, y, z):
    dtype = z.data.dtype
    if dtype != np.float32:
        return interpreter.TensorHandle(x.data * y.data + z.data, z.dtype.scalar)
    # The product is exact in fp64. The sum is rounded to odd there, so that the rounding to fp32
    # that follows is the only one that counts.
    with np.errstate(invalid="ignore", over="ignore"):
        product = x.data.astype(np.float64) * y.data
        addend = np.broadcast_to(z.data, product.shape).astype(np.float64)
        total = product + addend
        shift = total - product
        error = (product - (total - shift)) + (addend - shift)
        is_even = (total.view(np.int64) & 1) == 0
        inexact = np.isfinite(total) & (error != 0) & is_even
        odd = np.nextafter(total, np.copysign(np.inf, error))
        return interpreter.TensorHandle(
            np.where(inexact, odd, total).astype(np.float32), z.dtype.scalar
        )


def _reduce_by_halves(self, input):
    parts, axis = self.unravel(input, self.axis)
    dtypes = [part.dtype.scalar for part in parts]
    arrays = [part.handle.data for part in parts]
    while (length := arrays[0].shape[axis]) > 1:  # tiles have powers of 2 for their sides
        halves = [np.split(array, (length // 2,), axis) for array in arrays]
        left = [self.to_tensor(a, dtype) for (a, _), dtype in zip(halves, dtypes, strict=True)]
        right = [self.to_tensor(b, dtype) for (_, b), dtype in zip(halves, dtypes, strict=True)]
        result = self.combine_fn.fn(*left, *right)
        arrays = [r.handle.data for r in (result if isinstance(result, tuple) else (result,))]
    if not self.keep_dims:
        arrays = [array.squeeze(axis) for array in arrays]
    return tuple(
        self.to_tensor(array if array.ndim else array.item(), dtype)
        for array, dtype in zip(arrays, dtypes, strict=True)
    )
