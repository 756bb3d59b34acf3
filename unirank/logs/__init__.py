"""Click logs: read them, count them, estimate click models from them."""
