-- A rebuild leaves out lists whose outcome is still to come, too.
ALTER TABLE ranking ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
UPDATE ranking SET left_out = 1 WHERE id IN (SELECT ranking FROM log WHERE left_out);
ALTER TABLE visitor ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0; -- any list of the session is
