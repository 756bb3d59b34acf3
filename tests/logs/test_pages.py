import numpy as np

from unirank.logs.pages import Pages


def test_a_mask_has_a_bit_per_position() -> None:
    pages = Pages(np.array([[2, 0, -1]]), np.array([0b10]), np.array([3]))
    clicked = [bool(pages.mask[0] >> position & 1) for position in range(3)]
    assert clicked == [False, True, False]
