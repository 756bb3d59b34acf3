CREATE TABLE page (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL UNIQUE,
    seed       bigint NOT NULL,
    settings   text NOT NULL,           -- as they are now, JSON; the log has every change
    created_at double precision NOT NULL
);
CREATE TABLE ranking (                  -- an impression each
    id         bigint PRIMARY KEY,
    page       bigint NOT NULL REFERENCES page,
    items      text NOT NULL,           -- JSON
    memory     bytea NOT NULL,
    arm        text NOT NULL,
    propensity double precision,
    shown_at   double precision NOT NULL,
    expires_at double precision NOT NULL,
    session    bytea NOT NULL,
    place      bigint NOT NULL,
    available  text,                    -- JSON
    is_open    boolean NOT NULL DEFAULT true
);
CREATE INDEX ranking_due ON ranking (expires_at, id) WHERE is_open;
CREATE TABLE click (
    ranking  bigint NOT NULL,
    position bigint NOT NULL,
    at       double precision NOT NULL,
    PRIMARY KEY (ranking, position)
);
CREATE TABLE log (                      -- what every process folds, in order
    number   bigint PRIMARY KEY,
    page     bigint NOT NULL REFERENCES page,
    at       double precision NOT NULL,
    ranking  bigint UNIQUE,            -- an outcome: each ranking has at most one
    clicks   text,                      -- positions that were clicked, JSON
    change   text,                      -- a change of the page, JSON
    left_out boolean NOT NULL DEFAULT false -- a rebuild leaves it out
);
CREATE INDEX log_page ON log (page, number);
CREATE INDEX log_time ON log (page, at);
CREATE TABLE snapshot (
    page   bigint PRIMARY KEY REFERENCES page,
    cursor bigint NOT NULL,            -- number of the last entry in it
    state  bytea NOT NULL
);
CREATE TABLE visitor (                  -- what sessions did, by the hash of a day
    page    bigint NOT NULL REFERENCES page,
    session bytea NOT NULL,
    views   bigint NOT NULL,
    clicks  bigint NOT NULL,
    last_at double precision NOT NULL,
    PRIMARY KEY (page, session)
);
CREATE INDEX visitor_clicks ON visitor (page, clicks);
CREATE TABLE lease (next bigint NOT NULL);
INSERT INTO lease VALUES (1);
CREATE TABLE secret (name text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE api_key (
    id         text PRIMARY KEY,
    hash       bytea NOT NULL,
    scopes     text NOT NULL,
    note       text NOT NULL,
    created_at double precision NOT NULL
);
