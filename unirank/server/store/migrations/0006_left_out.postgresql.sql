-- A rebuild leaves out lists whose outcome is still to come, too.
ALTER TABLE ranking ADD COLUMN left_out boolean NOT NULL DEFAULT false;
UPDATE ranking SET left_out = true WHERE id IN (SELECT ranking FROM log WHERE left_out);
ALTER TABLE visitor ADD COLUMN left_out boolean NOT NULL DEFAULT false; -- any list of the session is
