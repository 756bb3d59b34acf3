"""`unirank serve`: pages that learn their order, over HTTP."""
