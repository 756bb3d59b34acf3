-- The entry of the log whose settings a list was given under; 0: not known, it is of an older edition.
ALTER TABLE ranking ADD COLUMN terms bigint NOT NULL DEFAULT 0;
