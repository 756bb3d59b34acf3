"""Optional dependencies: imported when first used, with an error that says what to install."""

import importlib
from pathlib import Path
from types import ModuleType

from unirank.errors import MissingExtraError

ROOT = Path(__file__).parents[1]


def optional(module: str, extra: str) -> ModuleType:
    """Import `module`, or say how to install the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise MissingExtraError(
            f"this needs {package}, which is not installed: {install_line(ROOT, extra)}"
        ) from None


def install_line(root: Path, extra: str) -> str:
    """Return the command that adds an extra: to a checkout in `root`, or to what pip installed."""
    is_checkout = (root / "pyproject.toml").is_file()
    return (
        f"pip install --editable '{root}[{extra}]'"
        if is_checkout
        else f"pip install 'unirank[{extra}]'"
    )
