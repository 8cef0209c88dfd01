"""Makes Triton's interpreter run loops over computed bounds on every NumPy.

Triton before 3.7 turns a scalar, kept as an array of one element, into an int with `int(array)`,
which NumPy 2.4 refuses. Later Tritons squeeze the array first, as is done here.
"""

import triton.runtime.interpreter as interpreter

_patch_lang_tensor = interpreter._patch_lang_tensor


def _patch_index_too(tensor, scope):
    _patch_lang_tensor(tensor, scope)
    scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.squeeze()))


interpreter._patch_lang_tensor = _patch_index_too
