-- The registry of a library that `offline` 1.0.0 wrote (schema 1), as the dump of Python's sqlite3.
-- `serve` stored the answer of the page, and `get` and `refresh` made the items from a server of
-- Tests/Servers/origin.py; the last three downloads were interrupted at its gates. The token and the
-- identifier of the boot are replaced.
BEGIN TRANSACTION;
CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    rendition TEXT NOT NULL,
    allows_private INTEGER NOT NULL,
    title TEXT NOT NULL,
    kind TEXT,
    state TEXT NOT NULL,
    file_name TEXT,
    size INTEGER,
    media_type TEXT,
    duration REAL,
    width INTEGER,
    height INTEGER,
    has_picture INTEGER NOT NULL DEFAULT 0,
    note TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at REAL NOT NULL,
    ready_at REAL,
    validator TEXT,
    total_bytes INTEGER,
    synced_bytes INTEGER NOT NULL DEFAULT 0,
    boot_id TEXT
);
INSERT INTO "items" VALUES(1,'http://127.0.0.1:45491/notes.txt','best',1,'notes','file','ready','1.txt',27,'text/plain; charset=utf-8',NULL,NULL,NULL,0,NULL,NULL,NULL,1.7953308510257554054e+09,1.79533085104531168942e+09,'"18ea4be58ea6e726-1b"',27,27,'00000000-0000-4000-8000-000000000000');
INSERT INTO "items" VALUES(2,'http://127.0.0.1:45491/film.mp4','best',1,'film','file','ready','2.mp4',2425,'video/mp4',2.0,64,36,1,NULL,NULL,NULL,1.79533085108028507234e+09,1.79533085131299686432e+09,'"18ea4be58e3eb758-979"',2425,2425,'00000000-0000-4000-8000-000000000000');
INSERT INTO "items" VALUES(3,'http://127.0.0.1:45491/lost.txt','best',1,'lost','file','missing','3.txt',4,'text/plain; charset=utf-8',NULL,NULL,NULL,0,NULL,NULL,NULL,1.79533085135142946248e+09,1.7953308513641757965e+09,'"76f75e6129fe3013"',4,4,'00000000-0000-4000-8000-000000000000');
INSERT INTO "items" VALUES(4,'import:A talk.txt','best',0,'A talk','file','ready','4.txt',40,'text/plain; charset=utf-8',NULL,NULL,NULL,0,NULL,NULL,NULL,1.79533085145139503476e+09,1.79533085145401430132e+09,NULL,NULL,0,NULL);
INSERT INTO "items" VALUES(5,'http://127.0.0.1:45491/gone','best',1,'gone',NULL,'failed',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'status','The server answered 404 for http://127.0.0.1:45491/gone. Check the address; the content may have been removed.',1.795330851502219677e+09,NULL,NULL,NULL,0,NULL);
INSERT INTO "items" VALUES(6,'http://127.0.0.1:45491/s/stream.m3u8','best',1,'s','stream','queued',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,1.79533085155513477326e+09,NULL,NULL,NULL,0,NULL);
INSERT INTO "items" VALUES(7,'http://127.0.0.1:45491/data.bin','best',1,'data','file','queued',NULL,NULL,'application/octet-stream',NULL,NULL,NULL,0,NULL,NULL,NULL,1.79533085311847114559e+09,NULL,'"18ea4be58ea58ed4-2000"',8192,4096,'00000000-0000-4000-8000-000000000000');
INSERT INTO "items" VALUES(8,'http://127.0.0.1:45491/later.m3u8','720p',1,'later',NULL,'queued',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,1.79533085466880249977e+09,NULL,NULL,NULL,0,NULL);
CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "preferences" VALUES('hasRequestedNotificationPermission','granted');
INSERT INTO "preferences" VALUES('server_token','0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE segments (
    item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    address TEXT NOT NULL,
    range_offset INTEGER,
    range_length INTEGER,
    identity TEXT NOT NULL,
    key_address TEXT,
    iv BLOB,
    discontinuity INTEGER NOT NULL,
    size INTEGER,
    proven INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (item, number)
) WITHOUT ROWID;
INSERT INTO "segments" VALUES(6,-1,'http://127.0.0.1:45491/s/init.mp4',NULL,NULL,'- - NONE /s/init.mp4',NULL,NULL,0,829,1);
INSERT INTO "segments" VALUES(6,0,'http://127.0.0.1:45491/s/part0.m4s',NULL,NULL,'1.0 - NONE /s/part0.m4s',NULL,NULL,0,1402,1);
INSERT INTO "segments" VALUES(6,1,'http://127.0.0.1:45491/s/part1.m4s',NULL,NULL,'1.0 - NONE /s/part1.m4s',NULL,NULL,0,834,1);
INSERT INTO "segments" VALUES(6,2,'http://127.0.0.1:45491/s/part2.m4s',NULL,NULL,'1.0 - NONE /s/part2.m4s',NULL,NULL,0,NULL,0);
INSERT INTO "segments" VALUES(6,3,'http://127.0.0.1:45491/s/part3.m4s',NULL,NULL,'1.0 - NONE /s/part3.m4s',NULL,NULL,0,NULL,0);
CREATE INDEX items_by_source ON items (source, rendition);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('items',8);
COMMIT;
PRAGMA user_version = 1;
