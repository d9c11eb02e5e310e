-- Empties every table, as a replica, so that no foreign key asks for an order, and lets numbers begin anew.
DO $$
DECLARE one record;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT oid::regclass AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration'
    LOOP
        EXECUTE 'DELETE FROM ' || one.name;
    END LOOP;
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence
        WHERE seqrelid::regclass::text NOT LIKE 'schema_migration%';
END $$
