"""Optional dependencies: imported when first used, with an error that says what to install."""

import importlib
from types import ModuleType

from unirank.errors import MissingExtraError


def optional(module: str, extra: str) -> ModuleType:
    """Import `module`, or say that `pip install 'unirank[extra]'` brings it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise MissingExtraError(
            f"this needs {package}, which is not installed: pip install 'unirank[{extra}]'"
        ) from None
