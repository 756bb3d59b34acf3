import json
import re
import tomllib
from pathlib import Path

import pytest

from unirank.errors import MissingExtraError
from unirank.extras import ROOT, install_line, optional


def test_an_installed_module_is_returned() -> None:
    assert optional("json", "lab") is json


def test_a_missing_module_is_answered_with_what_to_install() -> None:
    with pytest.raises(MissingExtraError) as caught:
        optional("no_such_package.inner", "lab")
    line = install_line(ROOT, "lab")
    assert str(caught.value) == f"this needs no_such_package, which is not installed: {line}"


def test_the_line_is_true_from_a_checkout_and_elsewhere(tmp_path: Path) -> None:
    assert install_line(tmp_path, "lab") == "pip install 'unirank[lab]'"
    (tmp_path / "pyproject.toml").touch()
    assert install_line(tmp_path, "lab") == f"pip install --editable '{tmp_path}[lab]'"


def test_every_extra_that_is_asked_for_exists() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    asked = {
        extra
        for path in (ROOT / "unirank").rglob("*.py")
        for extra in re.findall(r'optional\("[\w.]+", "(\w+)"\)', path.read_text())
    }
    assert asked == {"lab", "logs", "spark", "cluster", "serve"}
    assert asked <= set(known)
