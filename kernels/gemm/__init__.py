"""FP8 GEMMs: a module an operation, its entry points named as the module."""
