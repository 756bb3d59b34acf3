"""Read click logs and estimate click models from them."""
