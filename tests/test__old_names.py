"""Old names lead to the same modules and classes, and say what to write instead."""

import sys
from importlib import import_module

import pytest

import unirank
from unirank._old_names import NAMES, ROOMS, WITHOUT_WARNING, new_name

WARNING = sorted(set(ROOMS) - set(WITHOUT_WARNING))


@pytest.fixture(autouse=True)
def _forget_old_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import warns the first time only: what other tests imported is imported anew."""
    for name in [name for name in sys.modules if new_name(name) is not None]:
        monkeypatch.delitem(sys.modules, name)
    for name in [room.removeprefix("unirank.") for room in ROOMS]:
        if name in vars(unirank) and f"unirank.{name}" not in WITHOUT_WARNING:
            monkeypatch.delattr(unirank, name)


@pytest.mark.parametrize("old", WARNING)
def test_an_old_room_is_the_new_one_and_warns(old: str) -> None:
    with pytest.warns(FutureWarning, match=f"{old} is now {ROOMS[old]}"):
        assert import_module(old) is sys.modules[ROOMS[old]]


@pytest.mark.parametrize("old", WITHOUT_WARNING)
def test_a_name_that_stays_does_not_warn(old: str) -> None:
    assert import_module(old) is sys.modules[ROOMS[old]]


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("unirank.click_models.base", "ClickModel", "unirank.users.base"),
        ("unirank.simulation.trace", "Trace", "unirank.lab.simulation.trace"),
        ("unirank.theory.gaps", "Gap", "unirank.lab.theory.gaps"),
    ],
)
def test_a_class_is_the_same_by_either_path(old: str, name: str, new: str) -> None:
    with pytest.warns(FutureWarning) as warned:
        module = import_module(old)
    assert str(warned[-1].message) == f"{old} is now {new}"
    assert getattr(module, name) is getattr(sys.modules[new], name)
    assert sys.modules[new].__name__ == new
    spec = sys.modules[new].__spec__
    assert spec is not None
    assert spec.name == new


def test_an_old_room_is_an_attribute_of_the_package() -> None:
    with pytest.warns(FutureWarning, match=r"unirank\.click_models is now unirank\.users"):
        assert unirank.click_models.PBM is unirank.PBM


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_left_unirank_is_found_in_its_room(name: str) -> None:
    with pytest.warns(FutureWarning, match=rf"unirank\.{name} is now {NAMES[name]}\.{name}"):
        found = getattr(unirank, name)
    room = import_module(NAMES[name])
    assert found is getattr(room, name)
    assert name in room.__all__
    assert name not in unirank.__all__


def test_what_unirank_exports_does_not_warn() -> None:
    assert not set(NAMES) & set(unirank.__all__)
    for name in unirank.__all__:
        assert getattr(unirank, name) is vars(unirank)[name]


def test_another_name_is_unknown() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'clickmodels'"):
        _ = unirank.clickmodels
    with pytest.raises(ModuleNotFoundError):
        import_module("unirank.click_modelz")
