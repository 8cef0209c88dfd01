"""How this package names its kernels."""


def make_kernel_repr(base_name, config_keys, name_key=None):
    """A `repr` for `triton.jit`: the base name, and each key with its value."""

    def _repr(specialization):
        constants = specialization.constants
        name = constants.get(name_key) or base_name
        return "_".join([name, *(f"{key}_{constants.get(key)}".upper() for key in config_keys)])

    return _repr
