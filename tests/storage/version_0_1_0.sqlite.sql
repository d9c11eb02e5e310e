BEGIN TRANSACTION;
CREATE TABLE "analysis" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "wanted_at" VARCHAR(20),
            "done" INTEGER NOT NULL,
            "failures" INTEGER NOT NULL,
            "version" VARCHAR(40),
            "data" TEXT,
            "lease_owner" VARCHAR(64),
            "lease_until" VARCHAR(20), "request" VARCHAR(64),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE);
INSERT INTO "analysis" VALUES('x5pf7cupp5n4','2026-11-21T09:43:00Z',0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "analysis" VALUES('5q9rvwuv9wcm','2026-11-21T09:41:00Z',0,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE "archived_log" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "version" INTEGER NOT NULL,
            "moves" INTEGER NOT NULL,
            "log" BLOB NOT NULL,
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE);
INSERT INTO "archived_log" VALUES('x5pf7cupp5n4',1,20,X'78DA8B8E36D4210AC6EA90ACD2000CF1B0812A95528A12CB9574940A4A8B3314FC0C81ACD4BC142089226C845DD818ABB02B76435CB11BE28A6148516A71667A9E12C86D46064666BA8686BA468621069656C60656060651401568C286D8858D20C2061812C6D8D59BE0526F8A5DBD192EF5E6D8D55BE0526F8955BD89010EF526D8FD6B82CBBF2610FF82530524DE0990409579A53939D0644200C6C6020091689B44');
CREATE TABLE "audit" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "at" VARCHAR(20) NOT NULL,
        "what" VARCHAR(40) NOT NULL,
        "player_id" VARCHAR(32),
        "network" VARCHAR(50),
        "details" TEXT NOT NULL);
INSERT INTO "audit" VALUES(1,'2026-11-21T09:30:00Z','account_made','3xgveqhv2q9grhwf',NULL,'{"by":"api"}');
INSERT INTO "audit" VALUES(2,'2026-11-21T09:30:00Z','account_made','3k8883uyye4rx8cj',NULL,'{"by":"api"}');
INSERT INTO "audit" VALUES(3,'2026-11-21T09:30:00Z','account_made','sncue2784232rruq',NULL,'{"by":"api"}');
INSERT INTO "audit" VALUES(4,'2026-11-21T09:30:00Z','account_made','jp65nz769qys9k7y',NULL,'{"by":"owner"}');
INSERT INTO "audit" VALUES(5,'2026-11-21T09:30:00Z','token_made','jp65nz769qys9k7y',NULL,'{"scopes":"read play"}');
CREATE TABLE "blocked_mailbox" (
        "hash" VARCHAR(32) NOT NULL PRIMARY KEY,
        "created_at" VARCHAR(20) NOT NULL);
CREATE TABLE "bot_account" (
            "player_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "owner_id" VARCHAR(32) NOT NULL,
            "handle" VARCHAR(24) NOT NULL,
            "who" VARCHAR(10) NOT NULL,
            "rules" TEXT NOT NULL,
            "created_at" VARCHAR(20) NOT NULL,
            FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE CASCADE,
            FOREIGN KEY ("owner_id") REFERENCES "player" ("id") ON DELETE CASCADE);
INSERT INTO "bot_account" VALUES('jp65nz769qys9k7y','3k8883uyye4rx8cj','bensbot','everybody','{"games":4,"private":true,"seats":[2,3,4],"turn_hours_max":720,"turn_hours_min":1,"variants":["basic","advanced"],"without_clock":true}','2026-11-21T09:30:00Z');
CREATE TABLE "bot_turn" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "seat" INTEGER NOT NULL,
            "secret" VARCHAR(64) NOT NULL,
            "alone" INTEGER NOT NULL,
            "due_at" VARCHAR(20) NOT NULL,
            "failures" INTEGER NOT NULL,
            "lease_owner" VARCHAR(64),
            "lease_until" VARCHAR(20), "late_ply" INTEGER, "request" VARCHAR(64),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE);
CREATE TABLE "game" (
        "id" VARCHAR(32) NOT NULL PRIMARY KEY,
        "name" TEXT NOT NULL,
        "status" VARCHAR(16) NOT NULL,
        "ruleset" VARCHAR(32) NOT NULL,
        "options" TEXT NOT NULL,
        "seats" INTEGER NOT NULL,
        "creator_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "private" INTEGER NOT NULL,
        "invitation" VARCHAR(64),
        "server_seed" VARCHAR(64) NOT NULL,
        "commitment" VARCHAR(64) NOT NULL,
        "ply" INTEGER NOT NULL,
        "public_ply" INTEGER NOT NULL,
        "to_move" INTEGER,
        "version" INTEGER NOT NULL,
        "result" TEXT,
        "origin" VARCHAR(16) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "started_at" VARCHAR(20),
        "finished_at" VARCHAR(20), "clock" TEXT, "turn_began_at" VARCHAR(20), "deadline" VARCHAR(20), "paused_at" VARCHAR(20), "start_by" VARCHAR(20), "unplayed" INTEGER NOT NULL DEFAULT 0, "title" VARCHAR(16), "title_player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL, "title_plies" TEXT, "turn_notice" VARCHAR(200), "lost_since" VARCHAR(20), "lost_until" VARCHAR(20), "granted_seconds" INTEGER, "tower" INTEGER NOT NULL DEFAULT 0, "rotate_start" INTEGER NOT NULL DEFAULT 0, "winner_total" INTEGER, "hints" INTEGER NOT NULL DEFAULT 0, "archived" INTEGER NOT NULL DEFAULT 0, "held" INTEGER NOT NULL DEFAULT 0);
INSERT INTO "game" VALUES('x5pf7cupp5n4','An old game','finished','ulm/1','{"rotate_start":false,"tower":false}',2,'3xgveqhv2q9grhwf',0,NULL,'5930263938b370a1b5769fa0f1483f95a90d9df2f130d60fcf04bd93f50ae695','9ed2b205bd5604e7169772f6cb78c4cf62c6574ae358da622ca18f97922520fd',20,20,NULL,14,'{"scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"winners":[0]}','played','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','2026-11-21T09:43:00Z',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,-4,0,1,0);
INSERT INTO "game" VALUES('5q9rvwuv9wcm','','finished','ulm/1','{"rotate_start":false,"tower":false}',2,'3xgveqhv2q9grhwf',0,NULL,'e2cbeaee82af2c7d696cf46b977c090af4e146f6d03110ab86efde139eeabac3','074b29a34adefd3f13d0c1fd24aedaf6eff52f66e2e4fac3eafaeebd7edb8cd0',17,17,NULL,12,'{"scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"winners":[0]}','played','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','2026-11-21T09:41:00Z',NULL,NULL,NULL,NULL,NULL,0,'of','3xgveqhv2q9grhwf',NULL,NULL,NULL,NULL,NULL,0,0,-4,0,0,0);
INSERT INTO "game" VALUES('q5gh5mzxqxtm','','running','ulm/1','{"rotate_start":false,"tower":false}',2,'3xgveqhv2q9grhwf',0,NULL,'1118a88c1f772047597125e27e970d23d952bcd1b0aa366e09162edd5f30db8c','0dff933d17618cb139d15f374fba50eaf21021994a2e4365d73c744658ea7be4',14,14,0,10,NULL,'played','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,'{"night":null,"on_timeout":"steady","reminders":[0.5,0.9],"reserve_hours":0,"start_by":null,"turn_hours":24,"vacation_days":0}','2026-11-21T09:38:00Z','2026-11-22T09:38:00Z',NULL,NULL,0,'of','3xgveqhv2q9grhwf',NULL,NULL,NULL,NULL,NULL,0,0,NULL,0,0,0);
INSERT INTO "game" VALUES('gjdgj4ss8knt','Who comes?','open','ulm/1','{"rotate_start":false,"tower":false}',3,'sncue2784232rruq',0,NULL,'c86e2c8fa3f1726423e4e765047a2366ad0ce5642c68811a5c14457b0bcd60a2','9a105413e6e3f0a4b9aee37727c9879139ea71fc61a9ecb9d5e39d111a02a308',0,0,NULL,0,NULL,'played','2026-11-21T09:30:00Z',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,NULL,0,0,0);
INSERT INTO "game" VALUES('8u8uqqw7mbuy','From elsewhere','finished','ulm/1','{"rotate_start":false,"tower":false}',2,'3xgveqhv2q9grhwf',0,NULL,'e2cbeaee82af2c7d696cf46b977c090af4e146f6d03110ab86efde139eeabac3','074b29a34adefd3f13d0c1fd24aedaf6eff52f66e2e4fac3eafaeebd7edb8cd0',17,17,NULL,1,'{"scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"winners":[0]}','imported','2026-11-21T09:30:00Z',NULL,'2026-11-21T09:30:00Z',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,-4,0,0,0);
INSERT INTO "game" VALUES('z63uxp4gw2xk','An old game','running','ulm/1','{"rotate_start":false,"tower":false}',2,'3k8883uyye4rx8cj',1,NULL,'31eccc70a5b38c29f942241c95c10d570943c9995d98750da08c351ac8490f00','9169aa184976458f509e4125481fd57771c2fe948b8aeef0e0fb2feb9eb44d41',0,0,1,1,NULL,'sandbox','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,'2',NULL,NULL,NULL,NULL,0,0,NULL,0,0,0);
INSERT INTO "game" VALUES('7aw8muta8hhg','','running','ulm/1','{"rotate_start":false,"tower":false}',2,'sncue2784232rruq',0,NULL,'9c91f919454eeef22f8a155da0e21d9dfa3987069d330012373fd4df1c633c35','ac39099f7429c6a8b7ee6984fe3f26613e6e5d6294e32c3ffa74b2f2e60c8752',1,0,0,1,NULL,'played','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,NULL,NULL,NULL,NULL,NULL,0,'bot','sncue2784232rruq',NULL,NULL,NULL,NULL,NULL,0,0,NULL,0,0,0);
CREATE TABLE "hint" (
            "id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "game_id" VARCHAR(32) NOT NULL,
            "seat" INTEGER NOT NULL,
            "about" VARCHAR(64) NOT NULL,
            "secret" VARCHAR(64) NOT NULL,
            "moves" TEXT,
            "asked_at" VARCHAR(20) NOT NULL,
            "lease_until" VARCHAR(20),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE);
CREATE TABLE "imported_record" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "digest" VARCHAR(64) NOT NULL,
        "text" TEXT NOT NULL);
INSERT INTO "imported_record" VALUES('8u8uqqw7mbuy','3xgveqhv2q9grhwf','57f037fc056b7e52a1dcba3fd17dc198566aa19ca63b1bb615fba86347e737f7','{"digests":{"0":"2e82247f4982840a","12":"c280c9ddc534c94f","17":"41973a7e0494d028","6":"555b4f844abdddf6"},"format":"ulm-record/1","id":"5q9rvwuv9wcm","moves":[["draw",0,"2026-11-21T09:30:00Z"],["push N1",0,"2026-11-21T09:31:00Z"],["end",0,"2026-11-21T09:32:00Z"],["draw",1,"2026-11-21T09:32:00Z"],["push N2",1,"2026-11-21T09:33:00Z"],["end",1,"2026-11-21T09:34:00Z"],["draw",0,"2026-11-21T09:34:00Z"],["push N3",0,"2026-11-21T09:35:00Z"],["end",0,"2026-11-21T09:36:00Z"],["draw",1,"2026-11-21T09:36:00Z"],["push E1",1,"2026-11-21T09:37:00Z"],["end",1,"2026-11-21T09:38:00Z"],["draw",0,"2026-11-21T09:38:00Z"],["push E2",0,"2026-11-21T09:39:00Z"],["end",0,"2026-11-21T09:40:00Z"],["draw",1,"2026-11-21T09:40:00Z"],["resign",1,"2026-11-21T09:41:00Z"]],"name":"From elsewhere","options":{"rotate_start":false,"tower":false},"players":[{"name":"Ann"},{"name":"Ben"}],"result":{"scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"winners":[0]},"ruleset":"ulm/1","seed":{"clients":["seed","word"],"commitment":"074b29a34adefd3f13d0c1fd24aedaf6eff52f66e2e4fac3eafaeebd7edb8cd0","server":"e2cbeaee82af2c7d696cf46b977c090af4e146f6d03110ab86efde139eeabac3"}}');
CREATE TABLE "invitation" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "inviter_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "address" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "accepted_at" VARCHAR(20),
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL);
CREATE TABLE "lease" (
        "name" VARCHAR(64) NOT NULL PRIMARY KEY,
        "owner" VARCHAR(64) NOT NULL,
        "until" VARCHAR(20) NOT NULL);
CREATE TABLE "mail" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "key" VARCHAR(200) NOT NULL,
        "kind" VARCHAR(32) NOT NULL,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "address" TEXT,
        "data" TEXT NOT NULL,
        "state" VARCHAR(12) NOT NULL,
        "due_at" VARCHAR(20) NOT NULL,
        "attempts" INTEGER NOT NULL,
        "lease_owner" VARCHAR(64),
        "lease_until" VARCHAR(20),
        "created_at" VARCHAR(20) NOT NULL,
        "done_at" VARCHAR(20),
        "message_id" VARCHAR(200),
        "error" TEXT, "fault" VARCHAR(6), "doubts" INTEGER NOT NULL DEFAULT 0, "bounce_token" VARCHAR(26), "sent_to" VARCHAR(32), "tried_at" VARCHAR(20), "request" VARCHAR(64));
INSERT INTO "mail" VALUES(1,'started:x5pf7cupp5n4:0:3xgveqhv2q9grhwf','started','x5pf7cupp5n4',0,'3xgveqhv2q9grhwf',NULL,'{}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'sdizqofq27wawpuxqghmxfwe3m',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(2,'started:x5pf7cupp5n4:0:3k8883uyye4rx8cj','started','x5pf7cupp5n4',1,'3k8883uyye4rx8cj',NULL,'{"turn":true}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'vw7boiuw2uruuqvsjrv2jzxneq',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(3,'turn:x5pf7cupp5n4:4:3xgveqhv2q9grhwf','turn','x5pf7cupp5n4',4,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:32:00Z',0,NULL,NULL,'2026-11-21T09:32:00Z',NULL,NULL,NULL,NULL,0,'lacw3dzpvdw5bff2s6xiwfkefy',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(4,'turn:x5pf7cupp5n4:7:3k8883uyye4rx8cj','turn','x5pf7cupp5n4',7,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:34:00Z',0,NULL,NULL,'2026-11-21T09:34:00Z',NULL,NULL,NULL,NULL,0,'yvibqmadojkv7urv6emct6zyrq',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(5,'turn:x5pf7cupp5n4:10:3xgveqhv2q9grhwf','turn','x5pf7cupp5n4',10,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:36:00Z',0,NULL,NULL,'2026-11-21T09:36:00Z',NULL,NULL,NULL,NULL,0,'wfuxphw7ww4tijafcv7vjmjovy',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(6,'turn:x5pf7cupp5n4:13:3k8883uyye4rx8cj','turn','x5pf7cupp5n4',13,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:38:00Z',0,NULL,NULL,'2026-11-21T09:38:00Z',NULL,NULL,NULL,NULL,0,'ccxtc56rmhtzlb5hm3wdbzadoq',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(7,'turn:x5pf7cupp5n4:16:3xgveqhv2q9grhwf','turn','x5pf7cupp5n4',16,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:40:00Z',0,NULL,NULL,'2026-11-21T09:40:00Z',NULL,NULL,NULL,NULL,0,'tiyqkluujty3eihkuld7wg35hy',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(8,'turn:x5pf7cupp5n4:19:3k8883uyye4rx8cj','turn','x5pf7cupp5n4',19,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:42:00Z',0,NULL,NULL,'2026-11-21T09:42:00Z',NULL,NULL,NULL,NULL,0,'a3zl67whaie6btif5zlsb3n4xi',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(9,'over:x5pf7cupp5n4:20:3xgveqhv2q9grhwf','over','x5pf7cupp5n4',20,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:43:00Z',0,NULL,NULL,'2026-11-21T09:43:00Z',NULL,NULL,NULL,NULL,0,'zzfl2eqqr44r5pahb2b6qgaknm',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(10,'over:x5pf7cupp5n4:20:3k8883uyye4rx8cj','over','x5pf7cupp5n4',20,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:43:00Z',0,NULL,NULL,'2026-11-21T09:43:00Z',NULL,NULL,NULL,NULL,0,'2t2dukx77tj4clxysblvk5piey',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(11,'started:5q9rvwuv9wcm:0:3xgveqhv2q9grhwf','started','5q9rvwuv9wcm',1,'3xgveqhv2q9grhwf',NULL,'{"turn":true}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'k5ib7ygktj75dtgbkfieeqqsk4',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(12,'started:5q9rvwuv9wcm:0:3k8883uyye4rx8cj','started','5q9rvwuv9wcm',0,'3k8883uyye4rx8cj',NULL,'{}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'r7qp5ml3jksvttm7fcmewfbgp4',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(13,'turn:5q9rvwuv9wcm:4:3k8883uyye4rx8cj','turn','5q9rvwuv9wcm',4,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:32:00Z',0,NULL,NULL,'2026-11-21T09:32:00Z',NULL,NULL,NULL,NULL,0,'7yqarvzx5d2rpvu623yydpi2iu',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(14,'turn:5q9rvwuv9wcm:7:3xgveqhv2q9grhwf','turn','5q9rvwuv9wcm',7,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:34:00Z',0,NULL,NULL,'2026-11-21T09:34:00Z',NULL,NULL,NULL,NULL,0,'bmeiqdypiiw3wnx3ssz4w3kcj4',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(15,'turn:5q9rvwuv9wcm:10:3k8883uyye4rx8cj','turn','5q9rvwuv9wcm',10,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:36:00Z',0,NULL,NULL,'2026-11-21T09:36:00Z',NULL,NULL,NULL,NULL,0,'uwuwtutqqmkxfl2a3neff23uw4',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(16,'turn:5q9rvwuv9wcm:13:3xgveqhv2q9grhwf','turn','5q9rvwuv9wcm',13,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:38:00Z',0,NULL,NULL,'2026-11-21T09:38:00Z',NULL,NULL,NULL,NULL,0,'a6x4mbjvldhpbevjgf3ctmx7li',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(17,'turn:5q9rvwuv9wcm:16:3k8883uyye4rx8cj','turn','5q9rvwuv9wcm',16,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:40:00Z',0,NULL,NULL,'2026-11-21T09:40:00Z',NULL,NULL,NULL,NULL,0,'acrrod73o3odpqpkvlcjsi4vje',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(18,'over:5q9rvwuv9wcm:17:3xgveqhv2q9grhwf','over','5q9rvwuv9wcm',17,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:41:00Z',0,NULL,NULL,'2026-11-21T09:41:00Z',NULL,NULL,NULL,NULL,0,'trdrkzgso62ovmeccxptyea3p4',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(19,'over:5q9rvwuv9wcm:17:3k8883uyye4rx8cj','over','5q9rvwuv9wcm',17,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:41:00Z',0,NULL,NULL,'2026-11-21T09:41:00Z',NULL,NULL,NULL,NULL,0,'4742afa27olcuaxs7vzhmkgsmy',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(20,'started:q5gh5mzxqxtm:0:3xgveqhv2q9grhwf','started','q5gh5mzxqxtm',1,'3xgveqhv2q9grhwf',NULL,'{"turn":true}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'jinyt7canxmfwjhqy2xak5s24i',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(21,'started:q5gh5mzxqxtm:0:3k8883uyye4rx8cj','started','q5gh5mzxqxtm',0,'3k8883uyye4rx8cj',NULL,'{}','sent','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z','2026-11-21T09:30:00Z','<a@ulm>',NULL,NULL,0,'zgmwiyk534w7l74hci533qfcey',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(22,'turn:q5gh5mzxqxtm:4:3k8883uyye4rx8cj','turn','q5gh5mzxqxtm',4,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:32:00Z',0,NULL,NULL,'2026-11-21T09:32:00Z',NULL,NULL,NULL,NULL,0,'rggjjkhk5g5txhuqcybx7bbgpq',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(23,'turn:q5gh5mzxqxtm:7:3xgveqhv2q9grhwf','turn','q5gh5mzxqxtm',7,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:34:00Z',0,NULL,NULL,'2026-11-21T09:34:00Z',NULL,NULL,NULL,NULL,0,'xsocysczi4gactqmjms66e2anm',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(24,'turn:q5gh5mzxqxtm:10:3k8883uyye4rx8cj','turn','q5gh5mzxqxtm',10,'3k8883uyye4rx8cj',NULL,'{}','pending','2026-11-21T09:36:00Z',0,NULL,NULL,'2026-11-21T09:36:00Z',NULL,NULL,NULL,NULL,0,'6wejauoahh7pgjrweaqc2moewa',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(25,'turn:q5gh5mzxqxtm:13:3xgveqhv2q9grhwf','turn','q5gh5mzxqxtm',13,'3xgveqhv2q9grhwf',NULL,'{}','pending','2026-11-21T09:38:00Z',0,NULL,NULL,'2026-11-21T09:38:00Z',NULL,NULL,NULL,NULL,0,'ylq2xj63oin23amimk6wk6wsbu',NULL,NULL,NULL);
INSERT INTO "mail" VALUES(26,'message:q5gh5mzxqxtm:1:3k8883uyye4rx8cj','message','q5gh5mzxqxtm',NULL,'3k8883uyye4rx8cj',NULL,'{"message":1}','pending','2026-11-21T09:30:00Z',0,NULL,NULL,'2026-11-21T09:30:00Z',NULL,NULL,NULL,NULL,0,'w3ik544tddqn67zlhkxkg2kbzq',NULL,NULL,NULL);
CREATE TABLE "mail_pause" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "cause" VARCHAR(8) NOT NULL,
        "why" TEXT NOT NULL,
        "since" VARCHAR(20) NOT NULL,
        "ended_at" VARCHAR(20),
        "retry_at" VARCHAR(20),
        "failures" INTEGER NOT NULL,
        "alarmed_at" VARCHAR(20), "heeded_at" VARCHAR(20));
CREATE TABLE "mail_refusal" (
        "mail_id" BIGINT NOT NULL PRIMARY KEY REFERENCES "mail" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "sent_to" VARCHAR(32) NOT NULL,
        "counted" INTEGER NOT NULL,
        "stopped" INTEGER NOT NULL,
        "since" VARCHAR(20) NOT NULL,
        "at" VARCHAR(20) NOT NULL);
CREATE TABLE "mail_tally" ("name" VARCHAR(12) NOT NULL PRIMARY KEY, "total" BIGINT NOT NULL);
CREATE TABLE "message" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "seat" INTEGER NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "text" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL);
INSERT INTO "message" VALUES(1,'q5gh5mzxqxtm',0,'3xgveqhv2q9grhwf','Good evening','2026-11-21T09:30:00Z');
CREATE TABLE "move" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER NOT NULL,
        "seat" INTEGER NOT NULL,
        "move" TEXT NOT NULL,
        "played_at" VARCHAR(20),
        "automatic" INTEGER NOT NULL,
        "undone_at" VARCHAR(20));
INSERT INTO "move" VALUES(21,'5q9rvwuv9wcm',1,0,'draw','2026-11-21T09:30:00Z',1,NULL);
INSERT INTO "move" VALUES(22,'5q9rvwuv9wcm',2,0,'push N1','2026-11-21T09:31:00Z',0,NULL);
INSERT INTO "move" VALUES(23,'5q9rvwuv9wcm',3,0,'end','2026-11-21T09:32:00Z',0,NULL);
INSERT INTO "move" VALUES(24,'5q9rvwuv9wcm',4,1,'draw','2026-11-21T09:32:00Z',1,NULL);
INSERT INTO "move" VALUES(25,'5q9rvwuv9wcm',5,1,'push N2','2026-11-21T09:33:00Z',0,NULL);
INSERT INTO "move" VALUES(26,'5q9rvwuv9wcm',6,1,'end','2026-11-21T09:34:00Z',0,NULL);
INSERT INTO "move" VALUES(27,'5q9rvwuv9wcm',7,0,'draw','2026-11-21T09:34:00Z',1,NULL);
INSERT INTO "move" VALUES(28,'5q9rvwuv9wcm',8,0,'push N3','2026-11-21T09:35:00Z',0,NULL);
INSERT INTO "move" VALUES(29,'5q9rvwuv9wcm',9,0,'end','2026-11-21T09:36:00Z',0,NULL);
INSERT INTO "move" VALUES(30,'5q9rvwuv9wcm',10,1,'draw','2026-11-21T09:36:00Z',1,NULL);
INSERT INTO "move" VALUES(31,'5q9rvwuv9wcm',11,1,'push E1','2026-11-21T09:37:00Z',0,NULL);
INSERT INTO "move" VALUES(32,'5q9rvwuv9wcm',12,1,'end','2026-11-21T09:38:00Z',0,NULL);
INSERT INTO "move" VALUES(33,'5q9rvwuv9wcm',13,0,'draw','2026-11-21T09:38:00Z',1,NULL);
INSERT INTO "move" VALUES(34,'5q9rvwuv9wcm',14,0,'push E2','2026-11-21T09:39:00Z',0,NULL);
INSERT INTO "move" VALUES(35,'5q9rvwuv9wcm',15,0,'end','2026-11-21T09:40:00Z',0,NULL);
INSERT INTO "move" VALUES(36,'5q9rvwuv9wcm',16,1,'draw','2026-11-21T09:40:00Z',1,NULL);
INSERT INTO "move" VALUES(37,'5q9rvwuv9wcm',17,1,'resign','2026-11-21T09:41:00Z',0,NULL);
INSERT INTO "move" VALUES(38,'q5gh5mzxqxtm',1,0,'draw','2026-11-21T09:30:00Z',1,NULL);
INSERT INTO "move" VALUES(39,'q5gh5mzxqxtm',2,0,'push N1','2026-11-21T09:31:00Z',0,NULL);
INSERT INTO "move" VALUES(40,'q5gh5mzxqxtm',3,0,'end','2026-11-21T09:32:00Z',0,NULL);
INSERT INTO "move" VALUES(41,'q5gh5mzxqxtm',4,1,'draw','2026-11-21T09:32:00Z',1,NULL);
INSERT INTO "move" VALUES(42,'q5gh5mzxqxtm',5,1,'push N2','2026-11-21T09:33:00Z',0,NULL);
INSERT INTO "move" VALUES(43,'q5gh5mzxqxtm',6,1,'end','2026-11-21T09:34:00Z',0,NULL);
INSERT INTO "move" VALUES(44,'q5gh5mzxqxtm',7,0,'draw','2026-11-21T09:34:00Z',1,NULL);
INSERT INTO "move" VALUES(45,'q5gh5mzxqxtm',8,0,'push N3','2026-11-21T09:35:00Z',0,NULL);
INSERT INTO "move" VALUES(46,'q5gh5mzxqxtm',9,0,'end','2026-11-21T09:36:00Z',0,NULL);
INSERT INTO "move" VALUES(47,'q5gh5mzxqxtm',10,1,'draw','2026-11-21T09:36:00Z',1,NULL);
INSERT INTO "move" VALUES(48,'q5gh5mzxqxtm',11,1,'push E1','2026-11-21T09:37:00Z',0,NULL);
INSERT INTO "move" VALUES(49,'q5gh5mzxqxtm',12,1,'end','2026-11-21T09:38:00Z',0,NULL);
INSERT INTO "move" VALUES(50,'q5gh5mzxqxtm',13,0,'draw','2026-11-21T09:38:00Z',1,NULL);
INSERT INTO "move" VALUES(51,'q5gh5mzxqxtm',14,0,'push E2','2026-11-21T09:39:00Z',0,NULL);
INSERT INTO "move" VALUES(52,'8u8uqqw7mbuy',1,0,'draw','2026-11-21T09:30:00Z',0,NULL);
INSERT INTO "move" VALUES(53,'8u8uqqw7mbuy',2,0,'push N1','2026-11-21T09:31:00Z',0,NULL);
INSERT INTO "move" VALUES(54,'8u8uqqw7mbuy',3,0,'end','2026-11-21T09:32:00Z',0,NULL);
INSERT INTO "move" VALUES(55,'8u8uqqw7mbuy',4,1,'draw','2026-11-21T09:32:00Z',0,NULL);
INSERT INTO "move" VALUES(56,'8u8uqqw7mbuy',5,1,'push N2','2026-11-21T09:33:00Z',0,NULL);
INSERT INTO "move" VALUES(57,'8u8uqqw7mbuy',6,1,'end','2026-11-21T09:34:00Z',0,NULL);
INSERT INTO "move" VALUES(58,'8u8uqqw7mbuy',7,0,'draw','2026-11-21T09:34:00Z',0,NULL);
INSERT INTO "move" VALUES(59,'8u8uqqw7mbuy',8,0,'push N3','2026-11-21T09:35:00Z',0,NULL);
INSERT INTO "move" VALUES(60,'8u8uqqw7mbuy',9,0,'end','2026-11-21T09:36:00Z',0,NULL);
INSERT INTO "move" VALUES(61,'8u8uqqw7mbuy',10,1,'draw','2026-11-21T09:36:00Z',0,NULL);
INSERT INTO "move" VALUES(62,'8u8uqqw7mbuy',11,1,'push E1','2026-11-21T09:37:00Z',0,NULL);
INSERT INTO "move" VALUES(63,'8u8uqqw7mbuy',12,1,'end','2026-11-21T09:38:00Z',0,NULL);
INSERT INTO "move" VALUES(64,'8u8uqqw7mbuy',13,0,'draw','2026-11-21T09:38:00Z',0,NULL);
INSERT INTO "move" VALUES(65,'8u8uqqw7mbuy',14,0,'push E2','2026-11-21T09:39:00Z',0,NULL);
INSERT INTO "move" VALUES(66,'8u8uqqw7mbuy',15,0,'end','2026-11-21T09:40:00Z',0,NULL);
INSERT INTO "move" VALUES(67,'8u8uqqw7mbuy',16,1,'draw','2026-11-21T09:40:00Z',0,NULL);
INSERT INTO "move" VALUES(68,'8u8uqqw7mbuy',17,1,'resign','2026-11-21T09:41:00Z',0,NULL);
INSERT INTO "move" VALUES(69,'7aw8muta8hhg',1,0,'draw','2026-11-21T09:30:00Z',1,NULL);
CREATE TABLE "player" (
        "id" VARCHAR(32) NOT NULL PRIMARY KEY,
        "name" TEXT NOT NULL,
        "email" TEXT,
        "email_confirmed_at" VARCHAR(20),
        "preferences" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL, "mail_stopped_at" VARCHAR(20), "mail_stopped_why" TEXT, "link_epoch" INTEGER NOT NULL DEFAULT 0, "email_given_at" VARCHAR(20), "stored_bytes" BIGINT NOT NULL DEFAULT 0, "banned_at" VARCHAR(20));
INSERT INTO "player" VALUES('3xgveqhv2q9grhwf','Ann','ann@example.org','2026-11-21T09:30:00Z','{}','2026-11-21T09:30:00Z',NULL,NULL,0,'2026-11-21T09:30:00Z',8244,NULL);
INSERT INTO "player" VALUES('3k8883uyye4rx8cj','Ben','ben@example.org','2026-11-21T09:30:00Z','{}','2026-11-21T09:30:00Z',NULL,NULL,0,'2026-11-21T09:30:00Z',24208,NULL);
INSERT INTO "player" VALUES('sncue2784232rruq','Cleo',NULL,NULL,'{}','2026-11-21T09:30:00Z',NULL,NULL,0,NULL,0,NULL);
INSERT INTO "player" VALUES('jp65nz769qys9k7y','bensbot (bot)',NULL,NULL,'{}','2026-11-21T09:30:00Z',NULL,NULL,0,NULL,0,NULL);
CREATE TABLE "puzzle" (
            "id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "game_id" VARCHAR(32) NOT NULL,
            "ply" INTEGER NOT NULL,
            "data" TEXT NOT NULL,
            "found_at" VARCHAR(20) NOT NULL,
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE);
CREATE TABLE "puzzle_day" (
            "day" VARCHAR(10) NOT NULL PRIMARY KEY,
            "puzzle_id" VARCHAR(32) NOT NULL,
            FOREIGN KEY ("puzzle_id") REFERENCES "puzzle" ("id") ON DELETE CASCADE);
CREATE TABLE "received_count" (
        "day" VARCHAR(10) NOT NULL,
        "what" VARCHAR(70) NOT NULL,
        "number" INTEGER NOT NULL,
        PRIMARY KEY ("day", "what"));
CREATE TABLE "received_mail" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "key" VARCHAR(32) NOT NULL,
        "at" VARCHAR(20) NOT NULL,
        "door" VARCHAR(8) NOT NULL,
        "address" VARCHAR(32) NOT NULL,
        "player" VARCHAR(32),
        "outcome" VARCHAR(8) NOT NULL,
        "why" VARCHAR(60) NOT NULL,
        "size" INTEGER NOT NULL,
        "tries" INTEGER NOT NULL);
CREATE TABLE "reply" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "name" VARCHAR(20) NOT NULL,
        "request" VARCHAR(12) NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "status" INTEGER NOT NULL,
        "told" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL);
INSERT INTO "reply" VALUES(1,'138RaG-FpRUHdJnUQK7v','z6Ey5RfS2wNk','3xgveqhv2q9grhwf','q5gh5mzxqxtm',201,'{"applied":1,"row":51}','2026-11-21T09:39:00Z');
CREATE TABLE "sandbox" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "position" TEXT NOT NULL,
        "of_game" VARCHAR(32) NOT NULL,
        "of_ply" INTEGER NOT NULL,
        "of_seat" INTEGER);
INSERT INTO "sandbox" VALUES('z63uxp4gw2xk','{"active":1,"bag":{"brown":7,"gray":7,"orange":7,"turquoise":5,"white":7},"chance":0,"coat_seals":{},"coats":["E3","W3","W2","N3","N2","E2","W1","S2","E1","S3","N1","S1"],"crests":{},"descendants":["councilman","scholar","abbot","mint_master"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["brown","white","turquoise"],["white","gray","orange"],["brown","gray","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{"S1":"orange"},"pending":[],"phase":"actions","pile":["nave-3","works_of_art-turquoise","fustian-white","siege","fisherman_jousting","commercial_goods-turquoise","steeple-2","works_of_art-brown","choir-3","nave-2","fustian-gray","commercial_goods-brown","works_of_art-orange","fustian-brown","swabian_league","construction_freeze","commercial_goods-gray","fustian-orange","commercial_goods-orange","nave-1","city_wall","reformation","steeple-1","fustian-turquoise","commercial_goods-white","patrician","works_of_art-gray","first_chronicle","works_of_art-white","choir-1","ulm_sparrow","choir-2","steeple-3"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5}],"ply":0,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":1,"ruleset":"ulm/1","scores":null,"start":1,"tower":["card_for_tile","coin_levy","pick_tile","keep_pushed","card_for_coin","cheap_seal","long_reach","extra_money","dear_seal","extra_river"],"turn":{"activated":{"brown":2,"gray":0,"orange":0,"turquoise":0,"white":1},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":true,"levy_paid":false,"patrician":false,"salvaged":false,"slot":"N1","swapped":false,"tiles":[]}}','x5pf7cupp5n4',2,NULL);
CREATE TABLE "schema_migration" ("id" INTEGER NOT NULL PRIMARY KEY, "name" VARCHAR(255) NOT NULL, "applied" DATETIME NOT NULL);
INSERT INTO "schema_migration" VALUES(1,'0001_initial','2026-11-26 20:27:33.864544');
INSERT INTO "schema_migration" VALUES(2,'0002_mail_and_clocks','2026-11-26 20:27:33.922977');
INSERT INTO "schema_migration" VALUES(3,'0003_sandboxes','2026-11-26 20:27:33.932759');
INSERT INTO "schema_migration" VALUES(4,'0004_notes','2026-11-26 20:27:33.947709');
INSERT INTO "schema_migration" VALUES(5,'0005_audit','2026-11-26 20:27:33.959399');
INSERT INTO "schema_migration" VALUES(6,'0006_sessions_and_scopes','2026-11-26 20:27:33.973090');
INSERT INTO "schema_migration" VALUES(7,'0007_link_epoch','2026-11-26 20:27:33.975542');
INSERT INTO "schema_migration" VALUES(8,'0008_address_given','2026-11-26 20:27:33.982671');
INSERT INTO "schema_migration" VALUES(9,'0009_short_replies','2026-11-26 20:27:34.004103');
INSERT INTO "schema_migration" VALUES(10,'0010_strangers','2026-11-26 20:27:34.044052');
INSERT INTO "schema_migration" VALUES(11,'0011_names','2026-11-26 20:27:34.064097');
INSERT INTO "schema_migration" VALUES(12,'0012_short_links','2026-11-26 20:27:34.083135');
INSERT INTO "schema_migration" VALUES(13,'0013_mail_faults','2026-11-26 20:27:34.116507');
INSERT INTO "schema_migration" VALUES(14,'0014_waiting_clocks','2026-11-26 20:27:34.149360');
INSERT INTO "schema_migration" VALUES(15,'0015_received_mail','2026-11-26 20:27:34.161684');
INSERT INTO "schema_migration" VALUES(16,'0016_bot_turns','2026-11-26 20:27:34.177643');
INSERT INTO "schema_migration" VALUES(17,'0017_analyses','2026-11-26 20:27:34.183512');
INSERT INTO "schema_migration" VALUES(18,'0018_bot_accounts','2026-11-26 20:27:34.197629');
INSERT INTO "schema_migration" VALUES(19,'0019_late_turns','2026-11-26 20:27:34.212090');
INSERT INTO "schema_migration" VALUES(20,'0020_lists','2026-11-26 20:27:34.252739');
INSERT INTO "schema_migration" VALUES(21,'0021_hints','2026-11-26 20:27:34.278579');
INSERT INTO "schema_migration" VALUES(22,'0022_puzzles','2026-11-26 20:27:34.286164');
INSERT INTO "schema_migration" VALUES(23,'0023_archived_logs','2026-11-26 20:27:34.303505');
INSERT INTO "schema_migration" VALUES(24,'0024_statistics','2026-11-26 20:27:34.318132');
INSERT INTO "schema_migration" VALUES(25,'0025_operators','2026-11-26 20:27:34.342698');
INSERT INTO "schema_migration" VALUES(26,'0026_seats_in_lists','2026-11-26 20:27:34.379884');
INSERT INTO "schema_migration" VALUES(27,'0027_request_ids','2026-11-26 20:27:34.408152');
INSERT INTO "schema_migration" VALUES(28,'0028_troubles','2026-11-26 20:27:34.422683');
INSERT INTO "schema_migration" VALUES(29,'0029_colours','2026-11-26 20:27:34.435377');
CREATE TABLE "seat" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "seat" INTEGER NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "bot" VARCHAR(32),
        "name" TEXT,
        "client_seed" TEXT NOT NULL, "mail" VARCHAR(16), "reserve_seconds" INTEGER, "timeouts" INTEGER NOT NULL DEFAULT 0, "autopilot" INTEGER NOT NULL DEFAULT 0, "wants_pause" INTEGER NOT NULL DEFAULT 0, "note" TEXT, "name_kind" VARCHAR(16), "named_after_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL, "won" INTEGER NOT NULL DEFAULT 0, "listed" VARCHAR(24) NOT NULL DEFAULT 'open', "created_at" VARCHAR(20), "finished_at" VARCHAR(20));
INSERT INTO "seat" VALUES(1,'x5pf7cupp5n4',0,'3xgveqhv2q9grhwf',NULL,'Ann','seed',NULL,NULL,0,0,0,NULL,NULL,NULL,1,'finished','2026-11-21T09:30:00Z','2026-11-21T09:43:00Z');
INSERT INTO "seat" VALUES(2,'x5pf7cupp5n4',1,'3k8883uyye4rx8cj',NULL,'Ben','word',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'finished','2026-11-21T09:30:00Z','2026-11-21T09:43:00Z');
INSERT INTO "seat" VALUES(3,'5q9rvwuv9wcm',0,'3xgveqhv2q9grhwf',NULL,'Ann','seed',NULL,NULL,0,0,0,NULL,NULL,NULL,1,'finished','2026-11-21T09:30:00Z','2026-11-21T09:41:00Z');
INSERT INTO "seat" VALUES(4,'5q9rvwuv9wcm',1,'3k8883uyye4rx8cj',NULL,'Ben','word',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'finished','2026-11-21T09:30:00Z','2026-11-21T09:41:00Z');
INSERT INTO "seat" VALUES(5,'q5gh5mzxqxtm',0,'3xgveqhv2q9grhwf',NULL,'Ann','seed',NULL,NULL,0,0,0,'my own note',NULL,NULL,0,'running','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(6,'q5gh5mzxqxtm',1,'3k8883uyye4rx8cj',NULL,'Ben','word',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'running','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(7,'gjdgj4ss8knt',0,'sncue2784232rruq',NULL,'Cleo','',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'open','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(8,'gjdgj4ss8knt',1,NULL,NULL,NULL,'',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'open','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(9,'gjdgj4ss8knt',2,NULL,NULL,NULL,'',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'open','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(10,'8u8uqqw7mbuy',0,NULL,NULL,'Ann','seed',NULL,NULL,0,0,0,NULL,NULL,NULL,1,'imported finished','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z');
INSERT INTO "seat" VALUES(11,'8u8uqqw7mbuy',1,NULL,NULL,'Ben','word',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'imported finished','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z');
INSERT INTO "seat" VALUES(12,'z63uxp4gw2xk',0,'3k8883uyye4rx8cj',NULL,'Ann','',NULL,NULL,0,0,0,NULL,NULL,'3xgveqhv2q9grhwf',0,'sandbox running','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(13,'z63uxp4gw2xk',1,NULL,NULL,'Ben','',NULL,NULL,0,0,0,NULL,NULL,'3k8883uyye4rx8cj',0,'sandbox running','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(14,'7aw8muta8hhg',0,'sncue2784232rruq',NULL,'Cleo','',NULL,NULL,0,0,0,NULL,NULL,NULL,0,'running','2026-11-21T09:30:00Z',NULL);
INSERT INTO "seat" VALUES(15,'7aw8muta8hhg',1,NULL,'apprentice','Apprentice','',NULL,NULL,0,0,0,NULL,'apprentice',NULL,0,'running','2026-11-21T09:30:00Z',NULL);
CREATE TABLE "session" (
        "hash" VARCHAR(64) NOT NULL PRIMARY KEY,
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "device" VARCHAR(80) NOT NULL,
        "began_at" VARCHAR(20) NOT NULL,
        "seen_at" VARCHAR(20) NOT NULL,
        "fresh_at" VARCHAR(20));
INSERT INTO "session" VALUES('2772081d5eda7b1431386b3195d32dc0d17342ec91e88b411e3c5663a68d95bb','3xgveqhv2q9grhwf','Firefox Linux','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL);
CREATE TABLE "short_link" (
        "token" VARCHAR(26) NOT NULL PRIMARY KEY,
        "key" VARCHAR(100) NOT NULL,
        "purpose" VARCHAR(16) NOT NULL,
        "claims" TEXT NOT NULL,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "epoch" INTEGER NOT NULL,
        "created_at" VARCHAR(20) NOT NULL);
INSERT INTO "short_link" VALUES('5rrwvcwauetr4wdge6jdrkxyjy','turn:21eb80968577d1954240a7d72ac226c5:0','turn','{"game":"x5pf7cupp5n4","player":"3k8883uyye4rx8cj","ply":1,"seat":1}','x5pf7cupp5n4','3k8883uyye4rx8cj',0,'2026-11-21T09:30:00Z');
INSERT INTO "short_link" VALUES('4lnwcgurx7rzi2lthkjepvmpum','turn:4480123541eadf61f86bd9d42fba860a:0','turn','{"game":"x5pf7cupp5n4","player":"3xgveqhv2q9grhwf","ply":4,"seat":0}','x5pf7cupp5n4','3xgveqhv2q9grhwf',0,'2026-11-21T09:32:00Z');
INSERT INTO "short_link" VALUES('elseznrx6ajbbq3qpkilibkcb4','turn:c9b1b2ce0bc58b5d06b97c0b3dc304f4:0','turn','{"game":"x5pf7cupp5n4","player":"3k8883uyye4rx8cj","ply":7,"seat":1}','x5pf7cupp5n4','3k8883uyye4rx8cj',0,'2026-11-21T09:34:00Z');
INSERT INTO "short_link" VALUES('mlir5cd6wb3g2gdx7ddo74tlka','turn:b007fb7b9edfc2fe39f088759656d160:0','turn','{"game":"x5pf7cupp5n4","player":"3xgveqhv2q9grhwf","ply":10,"seat":0}','x5pf7cupp5n4','3xgveqhv2q9grhwf',0,'2026-11-21T09:36:00Z');
INSERT INTO "short_link" VALUES('lcuzaxfnq66uy57cta7so5c4zm','turn:183b32153860e34e0574205f3cf12d4b:0','turn','{"game":"x5pf7cupp5n4","player":"3k8883uyye4rx8cj","ply":13,"seat":1}','x5pf7cupp5n4','3k8883uyye4rx8cj',0,'2026-11-21T09:38:00Z');
INSERT INTO "short_link" VALUES('h5z7iffpnygzgvja3vgccr3tqy','turn:c5792813fb174738d392d4f6dd298368:0','turn','{"game":"x5pf7cupp5n4","player":"3xgveqhv2q9grhwf","ply":16,"seat":0}','x5pf7cupp5n4','3xgveqhv2q9grhwf',0,'2026-11-21T09:40:00Z');
INSERT INTO "short_link" VALUES('hlgom4qijk3et7f44sntrppm7i','turn:937125f47e90030590af1a680f2800c8:0','turn','{"game":"x5pf7cupp5n4","player":"3k8883uyye4rx8cj","ply":19,"seat":1}','x5pf7cupp5n4','3k8883uyye4rx8cj',0,'2026-11-21T09:42:00Z');
INSERT INTO "short_link" VALUES('dmbxjfg5dqa4y2w7zf2nc4u2ce','turn:a1888459bb3fb2399e3b9759621f5a3f:0','turn','{"game":"5q9rvwuv9wcm","player":"3xgveqhv2q9grhwf","ply":1,"seat":0}','5q9rvwuv9wcm','3xgveqhv2q9grhwf',0,'2026-11-21T09:30:00Z');
INSERT INTO "short_link" VALUES('fgbf46kflfy3egxbawvlfvvdca','turn:2eda183039d2455404723e5645ca2648:0','turn','{"game":"5q9rvwuv9wcm","player":"3k8883uyye4rx8cj","ply":4,"seat":1}','5q9rvwuv9wcm','3k8883uyye4rx8cj',0,'2026-11-21T09:32:00Z');
INSERT INTO "short_link" VALUES('qe6kvjntjd2jgc4jhp7dhd3fvy','turn:b57ba8c9b67a0246a005b402b583c0a5:0','turn','{"game":"5q9rvwuv9wcm","player":"3xgveqhv2q9grhwf","ply":7,"seat":0}','5q9rvwuv9wcm','3xgveqhv2q9grhwf',0,'2026-11-21T09:34:00Z');
INSERT INTO "short_link" VALUES('j45mgyuicik6ghwtfsvt2vwvla','turn:6b0192bcd7c8fadecb87f51fcea90e30:0','turn','{"game":"5q9rvwuv9wcm","player":"3k8883uyye4rx8cj","ply":10,"seat":1}','5q9rvwuv9wcm','3k8883uyye4rx8cj',0,'2026-11-21T09:36:00Z');
INSERT INTO "short_link" VALUES('4y3qkkzyhfszy6h57eoqvktcpy','turn:90b1083791f18780687eb80edff78816:0','turn','{"game":"5q9rvwuv9wcm","player":"3xgveqhv2q9grhwf","ply":13,"seat":0}','5q9rvwuv9wcm','3xgveqhv2q9grhwf',0,'2026-11-21T09:38:00Z');
INSERT INTO "short_link" VALUES('z5ybyipgmec33a5pmm7vbh64mu','turn:ce5a0bb41fea987857b1d7791746ad61:0','turn','{"game":"5q9rvwuv9wcm","player":"3k8883uyye4rx8cj","ply":16,"seat":1}','5q9rvwuv9wcm','3k8883uyye4rx8cj',0,'2026-11-21T09:40:00Z');
INSERT INTO "short_link" VALUES('fj6d4fpqtioc3pl5xmthnbtbhm','turn:d24389bd5f1fa41d7fc4ac5dcb544a5c:0','turn','{"game":"q5gh5mzxqxtm","player":"3xgveqhv2q9grhwf","ply":1,"seat":0}','q5gh5mzxqxtm','3xgveqhv2q9grhwf',0,'2026-11-21T09:30:00Z');
INSERT INTO "short_link" VALUES('f2gmfvc7ztijntyfvyxmkxcdim','turn:3bdcf5efc119bd14882b22a97f3a9145:0','turn','{"game":"q5gh5mzxqxtm","player":"3k8883uyye4rx8cj","ply":4,"seat":1}','q5gh5mzxqxtm','3k8883uyye4rx8cj',0,'2026-11-21T09:32:00Z');
INSERT INTO "short_link" VALUES('ah2nvchnm2dv555kdsobdpp3sa','turn:f729eaec974d71a3741c7147d4c5132c:0','turn','{"game":"q5gh5mzxqxtm","player":"3xgveqhv2q9grhwf","ply":7,"seat":0}','q5gh5mzxqxtm','3xgveqhv2q9grhwf',0,'2026-11-21T09:34:00Z');
INSERT INTO "short_link" VALUES('wkupjwywh73yg6xaihz7jdq2ty','turn:ed7110a05aefe3797d23a5845aa6c839:0','turn','{"game":"q5gh5mzxqxtm","player":"3k8883uyye4rx8cj","ply":10,"seat":1}','q5gh5mzxqxtm','3k8883uyye4rx8cj',0,'2026-11-21T09:36:00Z');
INSERT INTO "short_link" VALUES('lwnom5epznd6mned7dpjcffmy4','turn:1ac1c4261bbee166ca76c543a2089aca:0','turn','{"game":"q5gh5mzxqxtm","player":"3xgveqhv2q9grhwf","ply":13,"seat":0}','q5gh5mzxqxtm','3xgveqhv2q9grhwf',0,'2026-11-21T09:38:00Z');
CREATE TABLE "signing_key" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "secret" VARCHAR(64) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL);
INSERT INTO "signing_key" VALUES(1,'7efbb65765a887bd9a1bc743a2f7867abbdd2fd4f6a12ab16e0a5429c27f2e84','2026-11-21T09:30:00Z');
CREATE TABLE "snapshot" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER NOT NULL,
        "state" TEXT NOT NULL,
        "before" TEXT);
INSERT INTO "snapshot" VALUES('x5pf7cupp5n4',20,'{"active":null,"bag":{"brown":9,"gray":7,"orange":7,"turquoise":4,"white":7},"chance":79,"coat_seals":{},"coats":["N1","N3","S2","E1","W1","W2","N2","E3","W3","S1","E2","S3"],"crests":{},"descendants":["councilman","scholar","abbot","mint_master"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["turquoise","orange","gray"],["white","turquoise","white"],["gray","orange","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{},"pending":[],"phase":"over","pile":["city_wall","nave-1","fustian-brown","ulm_sparrow","siege","reformation","choir-3","fustian-orange","fustian-gray","works_of_art-brown","patrician","works_of_art-gray","nave-2","steeple-2","choir-1","nave-3","first_chronicle","choir-2","commercial_goods-turquoise","commercial_goods-orange","fisherman_jousting","commercial_goods-white","commercial_goods-gray","construction_freeze","swabian_league","commercial_goods-brown","fustian-turquoise","steeple-1","works_of_art-orange","fustian-white","works_of_art-turquoise","steeple-3","works_of_art-white"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":true,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5}],"ply":20,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":4,"ruleset":"ulm/1","scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"start":1,"tower":["keep_pushed","dear_seal","card_for_coin","pick_tile","extra_money","tile_levy","coin_levy","cheap_seal","long_reach","extra_river"],"turn":{"activated":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":false,"levy_paid":false,"patrician":false,"salvaged":false,"slot":null,"swapped":false,"tiles":[]}}',NULL);
INSERT INTO "snapshot" VALUES('5q9rvwuv9wcm',17,'{"active":null,"bag":{"brown":6,"gray":6,"orange":5,"turquoise":6,"white":6},"chance":78,"coat_seals":{},"coats":["S1","E3","S3","W3","W1","S2","E1","N2","W2","N3","N1","E2"],"crests":{},"descendants":["city_guard","mint_master","councilman","scholar"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["orange","brown","gray"],["turquoise","white","brown"],["gray","turquoise","orange"]],"options":{"rotate_start":false,"tower":false},"outer":{"S1":"white","S2":"orange","S3":"gray","W1":"white","W2":"brown"},"pending":[],"phase":"over","pile":["steeple-3","choir-1","reformation","fustian-orange","works_of_art-brown","fustian-gray","commercial_goods-white","steeple-1","fustian-brown","siege","commercial_goods-turquoise","commercial_goods-brown","nave-3","works_of_art-turquoise","fisherman_jousting","works_of_art-white","fustian-turquoise","swabian_league","choir-2","nave-2","fustian-white","ulm_sparrow","city_wall","commercial_goods-gray","first_chronicle","construction_freeze","choir-3","steeple-2","works_of_art-gray","commercial_goods-orange","nave-1","works_of_art-orange","patrician"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":true,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":1,"turquoise":0,"white":0},"vp":5}],"ply":17,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":3,"ruleset":"ulm/1","scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"start":0,"tower":["tile_levy","keep_pushed","dear_seal","card_for_tile","extra_river","card_for_coin","extra_money","coin_levy","cheap_seal","pick_tile"],"turn":{"activated":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":false,"levy_paid":false,"patrician":false,"salvaged":false,"slot":null,"swapped":false,"tiles":[]}}',NULL);
INSERT INTO "snapshot" VALUES('q5gh5mzxqxtm',14,'{"active":0,"bag":{"brown":7,"gray":7,"orange":4,"turquoise":5,"white":6},"chance":77,"coat_seals":{},"coats":["W2","S1","W3","E1","E2","S3","N2","E3","W1","N1","N3","S2"],"crests":{},"descendants":["scholar","merchant","mint_master","barge_driver"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["brown","orange","orange"],["gray","gray","turquoise"],["white","orange","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{"S1":"orange","S2":"white","S3":"brown","W1":"orange","W2":"turquoise"},"pending":[],"phase":"actions","pile":["siege","city_wall","steeple-2","nave-2","fustian-brown","fustian-orange","choir-1","choir-3","works_of_art-orange","works_of_art-brown","swabian_league","nave-3","works_of_art-white","patrician","commercial_goods-brown","commercial_goods-turquoise","fustian-white","commercial_goods-white","works_of_art-gray","first_chronicle","construction_freeze","fustian-gray","nave-1","fustian-turquoise","steeple-1","reformation","steeple-3","choir-2","works_of_art-turquoise","ulm_sparrow","fisherman_jousting","commercial_goods-gray","commercial_goods-orange"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":1},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5}],"ply":14,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":3,"ruleset":"ulm/1","scores":null,"start":0,"tower":["dear_seal","keep_pushed","pick_tile","extra_river","cheap_seal","long_reach","card_for_tile","free_seal","card_for_coin","tile_levy"],"turn":{"activated":{"brown":0,"gray":2,"orange":0,"turquoise":1,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":true,"levy_paid":false,"patrician":false,"salvaged":false,"slot":"E2","swapped":false,"tiles":[]}}',NULL);
INSERT INTO "snapshot" VALUES('8u8uqqw7mbuy',17,'{"active":null,"bag":{"brown":6,"gray":6,"orange":5,"turquoise":6,"white":6},"chance":78,"coat_seals":{},"coats":["S1","E3","S3","W3","W1","S2","E1","N2","W2","N3","N1","E2"],"crests":{},"descendants":["city_guard","mint_master","councilman","scholar"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["orange","brown","gray"],["turquoise","white","brown"],["gray","turquoise","orange"]],"options":{"rotate_start":false,"tower":false},"outer":{"S1":"white","S2":"orange","S3":"gray","W1":"white","W2":"brown"},"pending":[],"phase":"over","pile":["steeple-3","choir-1","reformation","fustian-orange","works_of_art-brown","fustian-gray","commercial_goods-white","steeple-1","fustian-brown","siege","commercial_goods-turquoise","commercial_goods-brown","nave-3","works_of_art-turquoise","fisherman_jousting","works_of_art-white","fustian-turquoise","swabian_league","choir-2","nave-2","fustian-white","ulm_sparrow","city_wall","commercial_goods-gray","first_chronicle","construction_freeze","choir-3","steeple-2","works_of_art-gray","commercial_goods-orange","nave-1","works_of_art-orange","patrician"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":true,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":1,"turquoise":0,"white":0},"vp":5}],"ply":17,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":3,"ruleset":"ulm/1","scores":[{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":1,"sparrows":2,"total":-4,"trade":0,"vp":5},{"barge":-11,"cathedral":0,"chronicle":{},"quarters":0,"rank":2,"sparrows":2,"total":-4,"trade":0,"vp":5}],"start":0,"tower":["tile_levy","keep_pushed","dear_seal","card_for_tile","extra_river","card_for_coin","extra_money","coin_levy","cheap_seal","pick_tile"],"turn":{"activated":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":false,"levy_paid":false,"patrician":false,"salvaged":false,"slot":null,"swapped":false,"tiles":[]}}',NULL);
INSERT INTO "snapshot" VALUES('z63uxp4gw2xk',0,'{"active":1,"bag":{"brown":7,"gray":7,"orange":7,"turquoise":5,"white":7},"chance":0,"coat_seals":{},"coats":["E3","W3","W2","N3","N2","E2","W1","S2","E1","S3","N1","S1"],"crests":{},"descendants":["councilman","scholar","abbot","mint_master"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["brown","white","turquoise"],["white","gray","orange"],["brown","gray","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{"S1":"orange"},"pending":[],"phase":"actions","pile":["nave-3","works_of_art-turquoise","fustian-white","siege","fisherman_jousting","commercial_goods-turquoise","steeple-2","works_of_art-brown","choir-3","nave-2","fustian-gray","commercial_goods-brown","works_of_art-orange","fustian-brown","swabian_league","construction_freeze","commercial_goods-gray","fustian-orange","commercial_goods-orange","nave-1","city_wall","reformation","steeple-1","fustian-turquoise","commercial_goods-white","patrician","works_of_art-gray","first_chronicle","works_of_art-white","choir-1","ulm_sparrow","choir-2","steeple-3"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5}],"ply":0,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":1,"ruleset":"ulm/1","scores":null,"start":1,"tower":["card_for_tile","coin_levy","pick_tile","keep_pushed","card_for_coin","cheap_seal","long_reach","extra_money","dear_seal","extra_river"],"turn":{"activated":{"brown":2,"gray":0,"orange":0,"turquoise":0,"white":1},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":true,"levy_paid":false,"patrician":false,"salvaged":false,"slot":"N1","swapped":false,"tiles":[]}}',NULL);
INSERT INTO "snapshot" VALUES('7aw8muta8hhg',1,'{"active":0,"bag":{"brown":7,"gray":7,"orange":6,"turquoise":6,"white":7},"chance":73,"coat_seals":{},"coats":["E2","N1","W2","W1","E3","N3","S1","W3","S2","N2","E1","S3"],"crests":{},"descendants":["barge_driver","city_guard","scholar","abbot"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["orange","orange","white"],["brown","gray","turquoise"],["gray","white","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{},"pending":[],"phase":"push","pile":["commercial_goods-brown","patrician","first_chronicle","ulm_sparrow","steeple-3","commercial_goods-white","works_of_art-gray","steeple-1","choir-2","nave-2","works_of_art-turquoise","commercial_goods-gray","nave-3","nave-1","siege","steeple-2","reformation","commercial_goods-turquoise","fustian-turquoise","works_of_art-orange","construction_freeze","works_of_art-white","fustian-gray","choir-1","city_wall","fisherman_jousting","fustian-orange","fustian-brown","fustian-white","works_of_art-brown","choir-3","commercial_goods-orange","swabian_league"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":1,"gray":0,"orange":0,"turquoise":0,"white":0},"vp":5}],"ply":1,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":1,"ruleset":"ulm/1","scores":null,"start":0,"tower":["card_for_tile","dear_seal","long_reach","keep_pushed","coin_levy","pick_tile","extra_money","tile_levy","extra_river","free_seal"],"turn":{"activated":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":true,"levy_paid":false,"patrician":false,"salvaged":false,"slot":null,"swapped":false,"tiles":["orange"]}}','{"active":0,"bag":{"brown":7,"gray":7,"orange":7,"turquoise":6,"white":7},"chance":72,"coat_seals":{},"coats":["E2","N1","W2","W1","E3","N3","S1","W3","S2","N2","E1","S3"],"crests":{},"descendants":["barge_driver","city_guard","scholar","abbot"],"discard":[],"docks":{"brown":1,"gray":1,"orange":1,"turquoise":1,"white":1},"grid":[["orange","orange","white"],["brown","gray","turquoise"],["gray","white","turquoise"]],"options":{"rotate_start":false,"tower":false},"outer":{},"pending":[],"phase":"draw","pile":["commercial_goods-brown","patrician","first_chronicle","ulm_sparrow","steeple-3","commercial_goods-white","works_of_art-gray","steeple-1","choir-2","nave-2","works_of_art-turquoise","commercial_goods-gray","nave-3","nave-1","siege","steeple-2","reformation","commercial_goods-turquoise","fustian-turquoise","works_of_art-orange","construction_freeze","works_of_art-white","fustian-gray","choir-1","city_wall","fisherman_jousting","fustian-orange","fustian-brown","fustian-white","works_of_art-brown","choir-3","commercial_goods-orange","swabian_league"],"players":[{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":0,"gray":0,"orange":0,"turquoise":1,"white":0},"vp":5},{"barge":1,"coats":[],"coins":2,"crests":3,"descendants":[],"hand":[],"played":0,"resigned":false,"seals":12,"sparrows":2,"table":[],"tiles":{"brown":1,"gray":0,"orange":0,"turquoise":0,"white":0},"vp":5}],"ply":0,"quarters":{"garden":[],"goose_tower":[],"leaning_house":[],"oath_house":[],"reichenauer_hof":[],"shipyard":[],"tillage":[],"town_hall":[]},"round":1,"ruleset":"ulm/1","scores":null,"start":0,"tower":["card_for_tile","dear_seal","long_reach","keep_pushed","coin_levy","pick_tile","extra_money","tile_levy","extra_river","free_seal"],"turn":{"activated":{"brown":0,"gray":0,"orange":0,"turquoise":0,"white":0},"credits":{"card":0,"seal":0,"seal_at_1":0,"step":0},"exchanged":false,"free_play":true,"levy_paid":false,"patrician":false,"salvaged":false,"slot":null,"swapped":false,"tiles":[]}}');
CREATE TABLE "statistic" (
            "version" INTEGER NOT NULL,
            "span" VARCHAR(5) NOT NULL,
            "period" VARCHAR(10) NOT NULL,
            "origin" VARCHAR(16) NOT NULL,
            "seats" INTEGER NOT NULL,
            "tower" INTEGER NOT NULL,
            "rotate_start" INTEGER NOT NULL,
            "sums" TEXT NOT NULL,
            PRIMARY KEY ("version", "span", "period", "origin", "seats", "tower", "rotate_start"));
INSERT INTO "statistic" VALUES(2,'','','imported',2,0,0,'{"games":1,"seats":2,"plies\t17":1,"own_plies":17,"turns":5,"resigned":1,"kind\t2 players":1,"vp\tstart":10,"vp\tsparrows":4,"vp\tbarge":-22,"seat\tseat 0 of 2\tcount":1,"seat\tseat 0 of 2\ttotal":-4,"seat\tseat 0 of 2\twon":12,"seat\tseat 0 of 2\tfair":6,"seat\tseat 1 of 2\tcount":1,"seat\tseat 1 of 2\ttotal":-4,"seat\tseat 1 of 2\tfair":6,"order\tturn 1 of 2\tcount":1,"order\tturn 1 of 2\ttotal":-4,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":6,"order\tturn 2 of 2\tcount":1,"order\tturn 2 of 2\ttotal":-4,"order\tturn 2 of 2\tfair":6}');
INSERT INTO "statistic" VALUES(2,'','','played',2,0,0,'{"games":2,"seats":4,"plies\t17":1,"own_plies":37,"turns":11,"resigned":2,"kind\t2 players":2,"vp\tstart":20,"vp\tsparrows":8,"vp\tbarge":-44,"seat\tseat 0 of 2\tcount":2,"seat\tseat 0 of 2\ttotal":-8,"seat\tseat 0 of 2\twon":24,"seat\tseat 0 of 2\tfair":12,"seat\tseat 1 of 2\tcount":2,"seat\tseat 1 of 2\ttotal":-8,"seat\tseat 1 of 2\tfair":12,"order\tturn 1 of 2\tcount":2,"order\tturn 1 of 2\ttotal":-8,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":12,"order\tturn 2 of 2\tcount":2,"order\tturn 2 of 2\ttotal":-8,"order\tturn 2 of 2\tfair":12,"plies\t20":1,"order\tturn 2 of 2\twon":12}');
INSERT INTO "statistic" VALUES(2,'day','2026-11-21','imported',2,0,0,'{"games":1,"seats":2,"plies\t17":1,"own_plies":17,"turns":5,"resigned":1,"kind\t2 players":1,"vp\tstart":10,"vp\tsparrows":4,"vp\tbarge":-22,"seat\tseat 0 of 2\tcount":1,"seat\tseat 0 of 2\ttotal":-4,"seat\tseat 0 of 2\twon":12,"seat\tseat 0 of 2\tfair":6,"seat\tseat 1 of 2\tcount":1,"seat\tseat 1 of 2\ttotal":-4,"seat\tseat 1 of 2\tfair":6,"order\tturn 1 of 2\tcount":1,"order\tturn 1 of 2\ttotal":-4,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":6,"order\tturn 2 of 2\tcount":1,"order\tturn 2 of 2\ttotal":-4,"order\tturn 2 of 2\tfair":6}');
INSERT INTO "statistic" VALUES(2,'day','2026-11-21','played',2,0,0,'{"games":2,"seats":4,"plies\t17":1,"own_plies":37,"turns":11,"resigned":2,"kind\t2 players":2,"vp\tstart":20,"vp\tsparrows":8,"vp\tbarge":-44,"seat\tseat 0 of 2\tcount":2,"seat\tseat 0 of 2\ttotal":-8,"seat\tseat 0 of 2\twon":24,"seat\tseat 0 of 2\tfair":12,"seat\tseat 1 of 2\tcount":2,"seat\tseat 1 of 2\ttotal":-8,"seat\tseat 1 of 2\tfair":12,"order\tturn 1 of 2\tcount":2,"order\tturn 1 of 2\ttotal":-8,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":12,"order\tturn 2 of 2\tcount":2,"order\tturn 2 of 2\ttotal":-8,"order\tturn 2 of 2\tfair":12,"plies\t20":1,"order\tturn 2 of 2\twon":12}');
INSERT INTO "statistic" VALUES(2,'month','2026-11','imported',2,0,0,'{"games":1,"seats":2,"plies\t17":1,"own_plies":17,"turns":5,"resigned":1,"kind\t2 players":1,"vp\tstart":10,"vp\tsparrows":4,"vp\tbarge":-22,"seat\tseat 0 of 2\tcount":1,"seat\tseat 0 of 2\ttotal":-4,"seat\tseat 0 of 2\twon":12,"seat\tseat 0 of 2\tfair":6,"seat\tseat 1 of 2\tcount":1,"seat\tseat 1 of 2\ttotal":-4,"seat\tseat 1 of 2\tfair":6,"order\tturn 1 of 2\tcount":1,"order\tturn 1 of 2\ttotal":-4,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":6,"order\tturn 2 of 2\tcount":1,"order\tturn 2 of 2\ttotal":-4,"order\tturn 2 of 2\tfair":6}');
INSERT INTO "statistic" VALUES(2,'month','2026-11','played',2,0,0,'{"games":2,"seats":4,"plies\t17":1,"own_plies":37,"turns":11,"resigned":2,"kind\t2 players":2,"vp\tstart":20,"vp\tsparrows":8,"vp\tbarge":-44,"seat\tseat 0 of 2\tcount":2,"seat\tseat 0 of 2\ttotal":-8,"seat\tseat 0 of 2\twon":24,"seat\tseat 0 of 2\tfair":12,"seat\tseat 1 of 2\tcount":2,"seat\tseat 1 of 2\ttotal":-8,"seat\tseat 1 of 2\tfair":12,"order\tturn 1 of 2\tcount":2,"order\tturn 1 of 2\ttotal":-8,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":12,"order\tturn 2 of 2\tcount":2,"order\tturn 2 of 2\ttotal":-8,"order\tturn 2 of 2\tfair":12,"plies\t20":1,"order\tturn 2 of 2\twon":12}');
INSERT INTO "statistic" VALUES(2,'score','099996','imported',2,0,0,'{"games":1,"seats":2,"plies\t17":1,"own_plies":17,"turns":5,"resigned":1,"kind\t2 players":1,"vp\tstart":10,"vp\tsparrows":4,"vp\tbarge":-22,"seat\tseat 0 of 2\tcount":1,"seat\tseat 0 of 2\ttotal":-4,"seat\tseat 0 of 2\twon":12,"seat\tseat 0 of 2\tfair":6,"seat\tseat 1 of 2\tcount":1,"seat\tseat 1 of 2\ttotal":-4,"seat\tseat 1 of 2\tfair":6,"order\tturn 1 of 2\tcount":1,"order\tturn 1 of 2\ttotal":-4,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":6,"order\tturn 2 of 2\tcount":1,"order\tturn 2 of 2\ttotal":-4,"order\tturn 2 of 2\tfair":6}');
INSERT INTO "statistic" VALUES(2,'score','099996','played',2,0,0,'{"games":2,"seats":4,"plies\t17":1,"own_plies":37,"turns":11,"resigned":2,"kind\t2 players":2,"vp\tstart":20,"vp\tsparrows":8,"vp\tbarge":-44,"seat\tseat 0 of 2\tcount":2,"seat\tseat 0 of 2\ttotal":-8,"seat\tseat 0 of 2\twon":24,"seat\tseat 0 of 2\tfair":12,"seat\tseat 1 of 2\tcount":2,"seat\tseat 1 of 2\ttotal":-8,"seat\tseat 1 of 2\tfair":12,"order\tturn 1 of 2\tcount":2,"order\tturn 1 of 2\ttotal":-8,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":12,"order\tturn 2 of 2\tcount":2,"order\tturn 2 of 2\ttotal":-8,"order\tturn 2 of 2\tfair":12,"plies\t20":1,"order\tturn 2 of 2\twon":12}');
INSERT INTO "statistic" VALUES(2,'year','2026','imported',2,0,0,'{"games":1,"seats":2,"plies\t17":1,"own_plies":17,"turns":5,"resigned":1,"kind\t2 players":1,"vp\tstart":10,"vp\tsparrows":4,"vp\tbarge":-22,"seat\tseat 0 of 2\tcount":1,"seat\tseat 0 of 2\ttotal":-4,"seat\tseat 0 of 2\twon":12,"seat\tseat 0 of 2\tfair":6,"seat\tseat 1 of 2\tcount":1,"seat\tseat 1 of 2\ttotal":-4,"seat\tseat 1 of 2\tfair":6,"order\tturn 1 of 2\tcount":1,"order\tturn 1 of 2\ttotal":-4,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":6,"order\tturn 2 of 2\tcount":1,"order\tturn 2 of 2\ttotal":-4,"order\tturn 2 of 2\tfair":6}');
INSERT INTO "statistic" VALUES(2,'year','2026','played',2,0,0,'{"games":2,"seats":4,"plies\t17":1,"own_plies":37,"turns":11,"resigned":2,"kind\t2 players":2,"vp\tstart":20,"vp\tsparrows":8,"vp\tbarge":-44,"seat\tseat 0 of 2\tcount":2,"seat\tseat 0 of 2\ttotal":-8,"seat\tseat 0 of 2\twon":24,"seat\tseat 0 of 2\tfair":12,"seat\tseat 1 of 2\tcount":2,"seat\tseat 1 of 2\ttotal":-8,"seat\tseat 1 of 2\tfair":12,"order\tturn 1 of 2\tcount":2,"order\tturn 1 of 2\ttotal":-8,"order\tturn 1 of 2\twon":12,"order\tturn 1 of 2\tfair":12,"order\tturn 2 of 2\tcount":2,"order\tturn 2 of 2\ttotal":-8,"order\tturn 2 of 2\tfair":12,"plies\t20":1,"order\tturn 2 of 2\twon":12}');
CREATE TABLE "tally" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "version" INTEGER NOT NULL,
        "rows" TEXT NOT NULL);
INSERT INTO "tally" VALUES('x5pf7cupp5n4',2,'[{"id":"x5pf7cupp5n4","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":20,"round":4,"seat":0,"turn_order":1,"turns":3,"own_plies":9,"resigned":false,"total":-4,"rank":1,"won":1.0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0},{"id":"x5pf7cupp5n4","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":20,"round":4,"seat":1,"turn_order":0,"turns":3,"own_plies":11,"resigned":true,"total":-4,"rank":2,"won":0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0}]');
INSERT INTO "tally" VALUES('5q9rvwuv9wcm',2,'[{"id":"5q9rvwuv9wcm","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":17,"round":3,"seat":0,"turn_order":0,"turns":3,"own_plies":9,"resigned":false,"total":-4,"rank":1,"won":1.0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0},{"id":"5q9rvwuv9wcm","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":17,"round":3,"seat":1,"turn_order":1,"turns":2,"own_plies":8,"resigned":true,"total":-4,"rank":2,"won":0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0}]');
INSERT INTO "tally" VALUES('8u8uqqw7mbuy',2,'[{"id":"8u8uqqw7mbuy","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":17,"round":3,"seat":0,"turn_order":0,"turns":3,"own_plies":9,"resigned":false,"total":-4,"rank":1,"won":1.0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0},{"id":"8u8uqqw7mbuy","ruleset":"ulm/1","players":2,"rotate_start":false,"tower":false,"plies":17,"round":3,"seat":1,"turn_order":1,"turns":2,"own_plies":8,"resigned":true,"total":-4,"rank":2,"won":0,"quarters":0,"descendants":[],"coats":[],"table":[],"seals_placed":0,"coat_seals":0,"vp_start":5,"vp_crests":0,"vp_reichenauer_hof":0,"vp_coats":0,"vp_card_tops":0,"vp_city_guard":0,"vp_levies":0,"vp_sparrows":2,"vp_barge":-11,"vp_cathedral":0,"vp_trade":0,"vp_chronicle":0}]');
CREATE TABLE "token" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "hash" VARCHAR(64) NOT NULL,
        "name" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "last_used_at" VARCHAR(20),
        "revoked_at" VARCHAR(20), "scopes" VARCHAR(60) NOT NULL DEFAULT 'read play account', "expires_at" VARCHAR(20));
INSERT INTO "token" VALUES(1,'3xgveqhv2q9grhwf','2acf6d160a09756643812d284dedfadfeeb843d09e3cf75df3e38cb4adc8ca51','','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,'read play account',NULL);
INSERT INTO "token" VALUES(2,'3k8883uyye4rx8cj','ae8979f9a116c1a0de0f24a7d4515c53020fdcaf9feb9e9c9fe4c7c951373f9c','','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,'read play account',NULL);
INSERT INTO "token" VALUES(3,'sncue2784232rruq','4cac2b732554a34c2d90de14d6000129032648dafbc401e3df6fd1ae47e4a6c8','','2026-11-21T09:30:00Z','2026-11-21T09:30:00Z',NULL,'read play account',NULL);
INSERT INTO "token" VALUES(4,'jp65nz769qys9k7y','3d50856b75cea5312d2c75ee98b5858c2dfafabd611fedf6ece1356ce54f4e52','','2026-11-21T09:30:00Z',NULL,NULL,'read play',NULL);
CREATE TABLE "trouble" (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            "at" VARCHAR(20) NOT NULL,
            "process" VARCHAR(64) NOT NULL,
            "logger" VARCHAR(60) NOT NULL,
            "message" VARCHAR(200) NOT NULL,
            "cause" VARCHAR(200) NOT NULL,
            "request" VARCHAR(64));
CREATE TABLE "used_link" (
        "hash" VARCHAR(64) NOT NULL PRIMARY KEY,
        "expires_at" VARCHAR(20) NOT NULL);
INSERT INTO "used_link" VALUES('ac50c5ba61acc44024e2534b2e153418ec275dca9e2a2a1ea28ca093cef113ea','2026-11-21T10:30:00Z');
INSERT INTO "used_link" VALUES('c519b223883866b2685a66063602f2a359fc826d09b8a08e97493f61e105ea7f','2026-11-22T09:30:00Z');
CREATE TABLE "vacation" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "starts_at" VARCHAR(20) NOT NULL,
        "ends_at" VARCHAR(20) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL);
CREATE UNIQUE INDEX "schema_migration_name" ON "schema_migration" ("name");
CREATE INDEX "token_player_id" ON "token" ("player_id");
CREATE UNIQUE INDEX "token_hash" ON "token" ("hash");
CREATE INDEX "game_status" ON "game" ("status");
CREATE INDEX "game_creator_id" ON "game" ("creator_id");
CREATE INDEX "game_origin" ON "game" ("origin");
CREATE INDEX "game_created_at" ON "game" ("created_at");
CREATE INDEX "game_finished_at" ON "game" ("finished_at");
CREATE UNIQUE INDEX "seat_game_id_seat" ON "seat" ("game_id", "seat");
CREATE UNIQUE INDEX "seat_game_id_player_id" ON "seat" ("game_id", "player_id");
CREATE UNIQUE INDEX "move_game_id_ply_standing" ON "move" ("game_id", "ply") WHERE undone_at IS NULL;
CREATE INDEX "imported_record_player_id" ON "imported_record" ("player_id");
CREATE UNIQUE INDEX "imported_record_digest" ON "imported_record" ("digest");
CREATE UNIQUE INDEX "mail_key" ON "mail" ("key");
CREATE INDEX "mail_state_due_at" ON "mail" ("state", "due_at");
CREATE INDEX "mail_game_id" ON "mail" ("game_id");
CREATE INDEX "mail_player_id" ON "mail" ("player_id");
CREATE INDEX "used_link_expires_at" ON "used_link" ("expires_at");
CREATE UNIQUE INDEX "invitation_game_id_address" ON "invitation" ("game_id", "address");
CREATE INDEX "invitation_inviter_id" ON "invitation" ("inviter_id");
CREATE INDEX "invitation_player_id" ON "invitation" ("player_id");
CREATE INDEX "message_game_id" ON "message" ("game_id");
CREATE INDEX "message_player_id" ON "message" ("player_id");
CREATE INDEX "vacation_player_id" ON "vacation" ("player_id");
CREATE INDEX "game_deadline" ON "game" ("deadline");
CREATE INDEX "game_start_by" ON "game" ("start_by");
CREATE INDEX "audit_player_id" ON "audit" ("player_id", "id");
CREATE INDEX "audit_at" ON "audit" ("at");
CREATE INDEX "session_player_id" ON "session" ("player_id");
CREATE UNIQUE INDEX "reply_name" ON "reply" ("name");
CREATE INDEX "reply_player_id" ON "reply" ("player_id");
CREATE INDEX "reply_game_id_player_id" ON "reply" ("game_id", "player_id");
CREATE INDEX "move_game_id" ON "move" ("game_id");
CREATE INDEX "game_unplayed" ON "game" ("finished_at") WHERE unplayed = 1;
CREATE INDEX "game_title_player_id" ON "game" ("title_player_id");
CREATE INDEX "seat_named_after_id" ON "seat" ("named_after_id");
CREATE UNIQUE INDEX "short_link_key" ON "short_link" ("key");
CREATE INDEX "short_link_game_id" ON "short_link" ("game_id");
CREATE INDEX "short_link_player_id" ON "short_link" ("player_id");
CREATE INDEX "short_link_purpose_created_at" ON "short_link" ("purpose", "created_at");
CREATE UNIQUE INDEX "mail_bounce_token" ON "mail" ("bounce_token");
CREATE UNIQUE INDEX "mail_pause_open" ON "mail_pause" ("cause") WHERE ended_at IS NULL;
CREATE INDEX "mailrefusal_player_id" ON "mail_refusal" ("player_id");
CREATE INDEX "player_mail_stopped" ON "player" ("mail_stopped_at") WHERE mail_stopped_at IS NOT NULL;
CREATE INDEX "game_turn_notice" ON "game" ("id") WHERE turn_notice IS NOT NULL;
CREATE INDEX "mail_state_done_at" ON "mail" ("state", "done_at");
CREATE UNIQUE INDEX "receivedmail_key" ON "received_mail" ("key");
CREATE INDEX "receivedmail_at" ON "received_mail" ("at");
CREATE INDEX "receivedmail_address_at" ON "received_mail" ("address", "at");
CREATE INDEX "receivedmail_player_at" ON "received_mail" ("player", "at");
CREATE INDEX "analysis_wanted_at" ON "analysis" ("wanted_at");
CREATE INDEX "bot_account_owner_id" ON "bot_account" ("owner_id");
CREATE UNIQUE INDEX "bot_account_handle" ON "bot_account" ("handle");
CREATE INDEX "game_newest" ON "game" ("private", "unplayed", "created_at" DESC, "id");
CREATE INDEX "game_newest_of_status" ON "game" ("private", "unplayed", "status", "created_at" DESC, "id");
CREATE INDEX "game_last_started" ON "game" ("private", "unplayed", "status", "started_at" DESC, "id");
CREATE INDEX "game_best" ON "game" ("private", "unplayed", "status", "winner_total", "finished_at");
CREATE UNIQUE INDEX "hint_game_id_seat_about" ON "hint" ("game_id", "seat", "about");
CREATE INDEX "hint_waiting" ON "hint" ("asked_at") WHERE moves IS NULL;
CREATE UNIQUE INDEX "puzzle_game_id_ply" ON "puzzle" ("game_id", "ply");
CREATE INDEX "puzzle_day_puzzle_id" ON "puzzle_day" ("puzzle_id");
CREATE INDEX "game_to_archive" ON "game" ("finished_at", "id")
            WHERE status = 'finished' AND archived <> 1;
CREATE INDEX "tally_version" ON "tally" ("version");
CREATE INDEX "player_banned" ON "player" ("banned_at") WHERE banned_at IS NOT NULL;
CREATE INDEX "seat_newest" ON "seat" ("player_id", "listed", "created_at" DESC, "game_id");
CREATE INDEX "seat_last_over" ON "seat" ("player_id", "listed", "finished_at" DESC, "game_id");
CREATE INDEX "seat_won" ON "seat" ("player_id", "listed", "finished_at" DESC, "game_id") WHERE won;
CREATE INDEX "game_last_over" ON "game" ("private", "unplayed", "status", "finished_at" DESC, "id", "winner_total", "seats", "tower", "rotate_start", "origin");
COMMIT;
