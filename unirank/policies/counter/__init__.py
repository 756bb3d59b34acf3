"""Counter: the items of most clicks a view, as a shop would sort them."""
