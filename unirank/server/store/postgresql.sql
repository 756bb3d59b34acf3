-- Statements of the store in PostgreSQL's dialect; `sqlite.sql` has the same names.

-- name: insert_page
INSERT INTO page (name, seed, settings, created_at) VALUES (%(name)s, %(seed)s, %(settings)s, %(now)s)
ON CONFLICT DO NOTHING RETURNING number;

-- name: pages
SELECT number, name, seed, settings FROM page
WHERE name > %(after)s AND deleted_at IS NULL ORDER BY name LIMIT %(most)s;

-- name: page_named
SELECT number, name, seed, settings FROM page WHERE name = %(name)s AND deleted_at IS NULL;

-- name: page_names
SELECT number, name FROM page WHERE number = ANY(%(numbers)s);

-- name: delete_page
UPDATE page SET name = name || '/' || number::text, deleted_at = %(now)s
WHERE name = %(name)s AND deleted_at IS NULL RETURNING number;

-- name: deleted_pages
SELECT number FROM page WHERE deleted_at IS NOT NULL AND number = ANY(%(pages)s);

-- name: set_settings
UPDATE page SET settings = %(settings)s WHERE number = %(page)s;

-- name: insert_views
INSERT INTO ranking (id, page, items, memory, arm, propensity, shown_at, expires_at, session, place, available, terms)
SELECT (value ->> 0)::bigint, (value ->> 1)::bigint, value ->> 2, decode(value ->> 3, 'hex'), value ->> 4,
       (value ->> 5)::float8, (value ->> 6)::float8, (value ->> 7)::float8, decode(value ->> 8, 'hex'),
       (value ->> 9)::bigint, value ->> 10, (value ->> 11)::bigint
FROM json_array_elements(%(views)s::json)
ON CONFLICT DO NOTHING;

-- name: open_views
-- Locks the rows in order until the clicks are committed: the closer leaves them for its next turn.
SELECT id, page, shown_at FROM ranking WHERE is_open AND id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE;

-- name: insert_clicks
INSERT INTO click (ranking, position, at)
SELECT (value ->> 0)::bigint, (value ->> 1)::bigint, %(now)s FROM json_array_elements(%(clicks)s::json)
ON CONFLICT DO NOTHING RETURNING ranking, position;

-- name: expire
UPDATE ranking SET over_at = coalesce(over_at, expires_at), expires_at = %(now)s
WHERE is_open AND expires_at > %(now)s AND id = ANY(%(ids)s);

-- name: lock_log
-- Held until the transaction ends: numbers of the log are committed in their order.
SELECT pg_advisory_xact_lock(7210001);

-- name: is_due
SELECT 1 FROM ranking WHERE is_open AND expires_at <= %(now)s LIMIT 1;

-- name: due_views
SELECT id FROM ranking WHERE is_open AND expires_at <= %(now)s ORDER BY expires_at, id LIMIT %(most)s
FOR NO KEY UPDATE SKIP LOCKED;

-- name: close_views
INSERT INTO log (number, page, at, over_at, ranking, left_out, clicks)
SELECT (SELECT coalesce(max(number), 0) FROM log) + row_number() OVER (ORDER BY expires_at, id),
       page, %(now)s, over_at, id, left_out,
       coalesce((SELECT json_agg(position ORDER BY position)::text FROM click WHERE click.ranking = id), '[]')
FROM ranking WHERE id = ANY(%(ids)s);

-- name: mark_closed
UPDATE ranking SET is_open = false WHERE id = ANY(%(ids)s);

-- name: count_visitors
INSERT INTO visitor (page, session, views, clicks, last_at, left_out)
SELECT ranking.page, ranking.session, count(*), sum(json_array_length(log.clicks::json)), %(now)s,
       bool_or(ranking.left_out)
FROM log JOIN ranking ON ranking.id = log.ranking
WHERE log.ranking = ANY(%(ids)s) AND ranking.session <> ''::bytea
GROUP BY ranking.page, ranking.session
ON CONFLICT (page, session) DO UPDATE
SET views = visitor.views + excluded.views, clicks = visitor.clicks + excluded.clicks, last_at = excluded.last_at,
    left_out = visitor.left_out OR excluded.left_out;

-- name: busiest_visitors
SELECT session, views, clicks, last_at, left_out FROM visitor
WHERE page = %(page)s AND clicks > %(most)s ORDER BY clicks DESC, session LIMIT 100;

-- name: forget_visitors
DELETE FROM visitor WHERE last_at < %(before)s AND clicks <= %(most)s;

-- name: left_out
SELECT id FROM ranking WHERE page = %(page)s AND left_out;

-- name: views_of
SELECT id, session FROM ranking
WHERE page = %(page)s AND shown_at >= %(first)s AND shown_at < %(until)s
  AND (%(every_session)s OR session IN (SELECT decode(value, 'hex') FROM unnest(%(sessions)s::text[]) AS value));

-- name: turn_views
-- Rows are locked in order and once, as those of clicks are: nobody waits in a ring.
UPDATE ranking SET left_out = NOT left_out WHERE id IN (
    SELECT id FROM ranking WHERE id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE
);

-- name: turn_outcomes
UPDATE log SET left_out = NOT left_out WHERE ranking = ANY(%(ids)s);

-- name: mark_visitors
UPDATE visitor SET left_out = NOT left_out
WHERE page = %(page)s
  AND left_out <> (session IN (SELECT decode(value, 'hex') FROM unnest(%(sessions)s::text[]) AS value));

-- name: change_after
SELECT 1 FROM log WHERE page = %(page)s AND number > %(after)s AND change IS NOT NULL LIMIT 1;

-- name: append_change
INSERT INTO log (number, page, at, change)
VALUES ((SELECT coalesce(max(number), 0) FROM log) + 1, %(page)s, %(now)s, %(change)s) RETURNING number;

-- name: log_after
SELECT log.number, log.page, log.at, log.clicks, log.change, log.left_out,
       ranking.id, ranking.items, ranking.memory, ranking.arm, ranking.propensity, ranking.shown_at,
       ranking.expires_at, ranking.session, ranking.place, ranking.available,
       ranking.terms, ranking.over_at
FROM log LEFT JOIN ranking ON ranking.id = log.ranking
WHERE log.number > %(after)s ORDER BY log.number LIMIT %(most)s;

-- name: page_log_after
SELECT log.number, log.page, log.at, log.clicks, log.change, log.left_out,
       ranking.id, ranking.items, ranking.memory, ranking.arm, ranking.propensity, ranking.shown_at,
       ranking.expires_at, ranking.session, ranking.place, ranking.available,
       ranking.terms, ranking.over_at
FROM log LEFT JOIN ranking ON ranking.id = log.ranking
WHERE log.page = %(page)s AND log.number > %(after)s ORDER BY log.number LIMIT %(most)s;

-- name: page_changes
SELECT page, change FROM log WHERE change IS NOT NULL AND page = ANY(%(pages)s) ORDER BY number;

-- name: click_times
SELECT ranking, position, at FROM click WHERE ranking = ANY(%(ids)s);

-- name: last_number
SELECT coalesce(max(number), 0) FROM log;

-- name: snapshot
SELECT cursor, state FROM snapshot WHERE page = %(page)s;

-- name: save_snapshot
-- Of one cursor there are two states only if one cannot be read, or is of another version.
INSERT INTO snapshot (page, cursor, state) VALUES (%(page)s, %(cursor)s, %(state)s)
ON CONFLICT (page) DO UPDATE SET cursor = excluded.cursor, state = excluded.state
WHERE excluded.cursor > snapshot.cursor
OR excluded.cursor = snapshot.cursor AND excluded.state <> snapshot.state;

-- name: lease
-- Beyond every view that is there: a lease that was restored, or lost in a failover, is behind.
UPDATE lease SET next = %(n)s + greatest(next, coalesce((SELECT max(id) + 1 FROM ranking), 1)) RETURNING next;

-- name: waste_number
-- Fails where nothing can be written, on a standby for instance.
UPDATE lease SET next = next + 1;

-- name: insert_secret
INSERT INTO secret (name, value) VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING;

-- name: secret
SELECT value FROM secret WHERE name = %(name)s;

-- name: forget_secrets
DELETE FROM secret WHERE name LIKE 'salt %%' AND name < %(before)s RETURNING name;

-- name: insert_key
INSERT INTO api_key (id, hash, scopes, note, created_at) VALUES (%(id)s, %(hash)s, %(scopes)s, %(note)s, %(now)s);

-- name: delete_key
DELETE FROM api_key WHERE id = %(id)s RETURNING id;

-- name: keys
SELECT id, hash, scopes, note, created_at FROM api_key ORDER BY created_at, id;

-- name: series
SELECT floor((coalesce(log.over_at, log.at) - %(first)s) / %(step)s)::bigint AS bin, ranking.arm, count(*),
       sum(json_array_length(log.clicks::json))::bigint
FROM log JOIN ranking ON ranking.id = log.ranking
WHERE log.page = %(page)s
  AND coalesce(log.over_at, log.at) >= %(first)s AND coalesce(log.over_at, log.at) < %(until)s
  AND NOT log.left_out
GROUP BY bin, ranking.arm ORDER BY bin, ranking.arm;
