CREATE TABLE page (
    number     INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    seed       INTEGER NOT NULL,
    settings   TEXT NOT NULL,           -- as they are now, JSON; the log has every change
    created_at REAL NOT NULL
);
CREATE TABLE ranking (                  -- an impression each
    id         INTEGER PRIMARY KEY,
    page       INTEGER NOT NULL REFERENCES page,
    items      TEXT NOT NULL,           -- JSON
    memory     BLOB NOT NULL,
    arm        TEXT NOT NULL,
    propensity REAL,
    shown_at   REAL NOT NULL,
    expires_at REAL NOT NULL,
    session    BLOB NOT NULL,
    place      INTEGER NOT NULL,
    available  TEXT,                    -- JSON
    is_open    INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX ranking_due ON ranking (expires_at, id) WHERE is_open;
CREATE TABLE click (
    ranking  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at       REAL NOT NULL,
    PRIMARY KEY (ranking, position)
) WITHOUT ROWID;
CREATE TABLE log (                      -- what every process folds, in order
    number   INTEGER PRIMARY KEY,
    page     INTEGER NOT NULL REFERENCES page,
    at       REAL NOT NULL,
    ranking  INTEGER UNIQUE,            -- an outcome: each ranking has at most one
    clicks   TEXT,                      -- positions that were clicked, JSON
    change   TEXT,                      -- a change of the page, JSON
    left_out INTEGER NOT NULL DEFAULT 0 -- a rebuild leaves it out
);
CREATE INDEX log_page ON log (page, number);
CREATE INDEX log_time ON log (page, at);
CREATE TABLE snapshot (
    page   INTEGER PRIMARY KEY REFERENCES page,
    cursor INTEGER NOT NULL,            -- number of the last entry in it
    state  BLOB NOT NULL
);
CREATE TABLE visitor (                  -- what sessions did, by the hash of a day
    page    INTEGER NOT NULL REFERENCES page,
    session BLOB NOT NULL,
    views   INTEGER NOT NULL,
    clicks  INTEGER NOT NULL,
    last_at REAL NOT NULL,
    PRIMARY KEY (page, session)
) WITHOUT ROWID;
CREATE INDEX visitor_clicks ON visitor (page, clicks);
CREATE TABLE lease (next INTEGER NOT NULL);
INSERT INTO lease VALUES (1);
CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE api_key (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL,
    scopes     TEXT NOT NULL,
    note       TEXT NOT NULL,
    created_at REAL NOT NULL
);
