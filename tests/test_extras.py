import json

import pytest

from unirank.errors import MissingExtraError
from unirank.extras import optional


def test_an_installed_module_is_returned() -> None:
    assert optional("json", "lab") is json


def test_a_missing_module_is_answered_with_what_to_install() -> None:
    with pytest.raises(MissingExtraError) as caught:
        optional("no_such_package.inner", "lab")
    assert str(caught.value) == (
        "this needs no_such_package, which is not installed: pip install 'unirank[lab]'"
    )
