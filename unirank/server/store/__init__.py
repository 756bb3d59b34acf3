"""The database of the service: one class owns all SQL, in two dialects."""
