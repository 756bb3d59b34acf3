"""`unirank serve`: pages that learn their order, over HTTP, on SQLite or PostgreSQL."""
