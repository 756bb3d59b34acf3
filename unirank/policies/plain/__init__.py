"""What several papers share, in ordinary Python: the twins of the compiled kernels."""
