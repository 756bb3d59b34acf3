-- A page that was deleted keeps its row, for its log; its name gets a number, which frees the name.
ALTER TABLE page ADD COLUMN deleted_at REAL;
