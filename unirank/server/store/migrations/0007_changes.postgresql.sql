-- Changes of a page are few among its outcomes: the export asks them for its items.
CREATE INDEX log_change ON log (page, number) WHERE change IS NOT NULL;
