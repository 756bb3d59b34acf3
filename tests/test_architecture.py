"""The pictures of ARCHITECTURE.md are those of the code as it is."""

import difflib
import tomllib

from tests import architecture


def test_the_pictures_are_drawn_from_this_code() -> None:
    there = architecture.PAGE.read_text()
    drawn = architecture.with_pictures(there)
    changes = difflib.unified_diff(there.splitlines(), drawn.splitlines(), "there", "drawn", n=0)
    assert there == drawn, "run `make architecture`:\n" + "\n".join(changes)


def test_the_rooms_of_the_picture_are_those_whose_arrows_are_enforced() -> None:
    config = tomllib.loads((architecture.PACKAGE.parent / "pyproject.toml").read_text())
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    imports = architecture.room_imports()
    assert set(imports) == set(layers[: len(imports)])
    for row, room in enumerate(layers[: len(imports)]):
        assert imports[room] <= set(layers[row + 1 :])


def test_an_arrow_that_follows_from_others_is_left_out() -> None:
    imports = {"top": {"middle", "low"}, "middle": {"low"}, "low": set[str]()}
    assert architecture.follows(imports, "top", "low")
    assert not architecture.follows(imports, "top", "middle")
