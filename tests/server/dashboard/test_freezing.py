"""What the button that freezes asks."""

from unirank.server.dashboard.freezing import question_of


def test_it_names_what_will_be_shown() -> None:
    asked = question_of(["mug", "pot"], {"jar"}, holdout=True)
    assert "Everybody but the holdout then sees mug and pot" in asked
    assert "not been shown yet" not in asked
    assert asked.endswith('it comes back with "Learn again".')


def test_it_names_what_nobody_has_seen() -> None:
    assert "pot has not been shown yet" in question_of(["mug", "pot"], {"pot"}, holdout=True)
    assert "mug and pot have not" in question_of(["mug", "pot"], {"pot", "mug"}, holdout=True)


def test_without_a_holdout_there_is_no_lift_to_set_aside() -> None:
    asked = question_of(["mug"], (), holdout=False)
    assert "Everybody then sees mug" in asked
    assert "lift" not in asked
