-- A final report closes a list before its window is over: `expires_at` is then the time of the
-- report, and this the end of the window, before which no comparison counts the list.
ALTER TABLE ranking ADD COLUMN over_at double precision;
ALTER TABLE log ADD COLUMN over_at double precision;
DROP INDEX log_time;
CREATE INDEX log_time ON log (page, (coalesce(over_at, at)));
