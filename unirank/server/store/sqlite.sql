-- Statements of the store in SQLite's dialect; `postgresql.sql` has the same names.

-- name: insert_page
INSERT INTO page (name, seed, settings, created_at) VALUES (:name, :seed, :settings, :now)
ON CONFLICT DO NOTHING RETURNING number;

-- name: pages
SELECT number, name, seed, settings FROM page
WHERE name > :after AND deleted_at IS NULL ORDER BY name LIMIT :most;

-- name: page_named
SELECT number, name, seed, settings FROM page WHERE name = :name AND deleted_at IS NULL;

-- name: page_names
SELECT number, name FROM page WHERE number IN (SELECT value FROM json_each(:numbers));

-- name: delete_page
UPDATE page SET name = name || '/' || number, deleted_at = :now
WHERE name = :name AND deleted_at IS NULL RETURNING number;

-- name: deleted_pages
SELECT number FROM page WHERE deleted_at IS NOT NULL AND number IN (SELECT value FROM json_each(:pages));

-- name: set_settings
UPDATE page SET settings = :settings WHERE number = :page;

-- name: insert_views
-- All in one statement: each one lets other threads run, and then waits for its turn.
INSERT INTO ranking (id, page, items, memory, arm, propensity, shown_at, expires_at, session, place, available, terms)
SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       unhex(value ->> 8), value ->> 9, value ->> 10, value ->> 11
FROM json_each(:views) WHERE true
ON CONFLICT DO NOTHING;

-- name: open_views
SELECT id, page, shown_at FROM ranking WHERE is_open AND id IN (SELECT value FROM json_each(:ids));

-- name: insert_clicks
INSERT INTO click (ranking, position, at)
SELECT value ->> 0, value ->> 1, :now FROM json_each(:clicks) WHERE true
ON CONFLICT DO NOTHING RETURNING ranking, position;

-- name: expire
UPDATE ranking SET over_at = coalesce(over_at, expires_at), expires_at = :now
WHERE is_open AND expires_at > :now AND id IN (SELECT value FROM json_each(:ids));

-- name: lock_log
SELECT 1;

-- name: is_due
SELECT 1 FROM ranking WHERE is_open AND expires_at <= :now LIMIT 1;

-- name: due_views
SELECT id FROM ranking WHERE is_open AND expires_at <= :now ORDER BY expires_at, id LIMIT :most;

-- name: close_views
INSERT INTO log (page, at, over_at, ranking, left_out, clicks)
SELECT page, :now, over_at, id, left_out,
       (SELECT json_group_array(position) FROM (SELECT position FROM click WHERE ranking = id ORDER BY position))
FROM ranking WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY expires_at, id;

-- name: mark_closed
UPDATE ranking SET is_open = 0 WHERE id IN (SELECT value FROM json_each(:ids));

-- name: count_visitors
INSERT INTO visitor (page, session, views, clicks, last_at, left_out)
SELECT ranking.page, ranking.session, count(*), sum(json_array_length(log.clicks)), :now,
       max(ranking.left_out)
FROM log JOIN ranking ON ranking.id = log.ranking
WHERE log.ranking IN (SELECT value FROM json_each(:ids)) AND ranking.session <> x''
GROUP BY ranking.page, ranking.session
ON CONFLICT (page, session) DO UPDATE
SET views = visitor.views + excluded.views, clicks = visitor.clicks + excluded.clicks, last_at = excluded.last_at,
    left_out = visitor.left_out OR excluded.left_out;

-- name: busiest_visitors
SELECT session, views, clicks, last_at, left_out FROM visitor
WHERE page = :page AND clicks > :most ORDER BY clicks DESC, session LIMIT 100;

-- name: forget_visitors
DELETE FROM visitor WHERE last_at < :before AND clicks <= :most;

-- name: left_out
SELECT id FROM ranking WHERE page = :page AND left_out;

-- name: views_of
SELECT id, session FROM ranking
WHERE page = :page AND shown_at >= :first AND shown_at < :until
  AND (:every_session OR session IN (SELECT unhex(value) FROM json_each(:sessions)));

-- name: turn_views
UPDATE ranking SET left_out = NOT left_out WHERE id IN (SELECT value FROM json_each(:ids));

-- name: turn_outcomes
UPDATE log SET left_out = NOT left_out WHERE ranking IN (SELECT value FROM json_each(:ids));

-- name: mark_visitors
UPDATE visitor SET left_out = NOT left_out
WHERE page = :page AND left_out <> (session IN (SELECT unhex(value) FROM json_each(:sessions)));

-- name: change_after
SELECT 1 FROM log WHERE page = :page AND number > :after AND change IS NOT NULL LIMIT 1;

-- name: append_change
INSERT INTO log (page, at, change) VALUES (:page, :now, :change) RETURNING number;

-- name: log_after
SELECT log.number, log.page, log.at, log.clicks, log.change, log.left_out,
       ranking.id, ranking.items, ranking.memory, ranking.arm, ranking.propensity, ranking.shown_at,
       ranking.expires_at, ranking.session, ranking.place, ranking.available,
       ranking.terms, ranking.over_at
FROM log LEFT JOIN ranking ON ranking.id = log.ranking
WHERE log.number > :after ORDER BY log.number LIMIT :most;

-- name: page_log_after
SELECT log.number, log.page, log.at, log.clicks, log.change, log.left_out,
       ranking.id, ranking.items, ranking.memory, ranking.arm, ranking.propensity, ranking.shown_at,
       ranking.expires_at, ranking.session, ranking.place, ranking.available,
       ranking.terms, ranking.over_at
FROM log LEFT JOIN ranking ON ranking.id = log.ranking
WHERE log.page = :page AND log.number > :after ORDER BY log.number LIMIT :most;

-- name: page_changes
SELECT page, change FROM log
WHERE change IS NOT NULL AND page IN (SELECT value FROM json_each(:pages)) ORDER BY number;

-- name: click_times
SELECT ranking, position, at FROM click WHERE ranking IN (SELECT value FROM json_each(:ids));

-- name: last_number
SELECT coalesce(max(number), 0) FROM log;

-- name: snapshot
SELECT cursor, state FROM snapshot WHERE page = :page;

-- name: save_snapshot
-- Of one cursor there are two states only if one cannot be read, or is of another version.
INSERT INTO snapshot (page, cursor, state) VALUES (:page, :cursor, :state)
ON CONFLICT (page) DO UPDATE SET cursor = excluded.cursor, state = excluded.state
WHERE excluded.cursor > snapshot.cursor
OR excluded.cursor = snapshot.cursor AND excluded.state <> snapshot.state;

-- name: lease
-- Beyond every view that is there: a lease that was restored, or lost in a failover, is behind.
UPDATE lease SET next = :n + max(next, coalesce((SELECT max(id) + 1 FROM ranking), 1)) RETURNING next;

-- name: waste_number
-- Fails where nothing can be written, on a full disk for instance. SQLite writes no row that stays the same.
UPDATE lease SET next = next + 1;

-- name: insert_secret
INSERT INTO secret (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING;

-- name: secret
SELECT value FROM secret WHERE name = :name;

-- name: forget_secrets
DELETE FROM secret WHERE name LIKE 'salt %' AND name < :before RETURNING name;

-- name: insert_key
INSERT INTO api_key (id, hash, scopes, note, created_at) VALUES (:id, :hash, :scopes, :note, :now);

-- name: delete_key
DELETE FROM api_key WHERE id = :id RETURNING id;

-- name: keys
SELECT id, hash, scopes, note, created_at FROM api_key ORDER BY created_at, id;

-- name: series
SELECT CAST((coalesce(log.over_at, log.at) - :first) / :step AS INTEGER) AS bin, ranking.arm, count(*),
       sum(json_array_length(log.clicks))
FROM log JOIN ranking ON ranking.id = log.ranking
WHERE log.page = :page
  AND coalesce(log.over_at, log.at) >= :first AND coalesce(log.over_at, log.at) < :until
  AND NOT log.left_out
GROUP BY bin, ranking.arm ORDER BY bin, ranking.arm;
