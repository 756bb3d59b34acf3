-- A rebuild asks for the lists of a page by time and session, and for those that are left out.
CREATE INDEX ranking_page ON ranking (page, shown_at, session);
CREATE INDEX ranking_left_out ON ranking (page) WHERE left_out;
UPDATE visitor SET left_out = true WHERE (page, session) IN (SELECT page, session FROM ranking WHERE left_out);
