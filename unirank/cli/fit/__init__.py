"""`unirank fit`: estimate click models from a click log."""
