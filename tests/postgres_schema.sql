-- What the schema of a database is, as one text: of its rows those of the migrations alone.
SELECT string_agg(line, chr(10) ORDER BY line) FROM (
    SELECT concat_ws(' ', c.oid::regclass, c.relkind, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
                     a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace NOT IN (SELECT oid FROM pg_namespace
                                 WHERE nspname IN ('pg_catalog', 'pg_toast', 'information_schema'))
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname NOT IN ('pg_catalog', 'pg_toast')
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid <> 0
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT m::text FROM schema_migration m
) AS found (line)
