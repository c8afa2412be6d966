/**
 * What operators did stays listed with who did it, also when the site is gone, so that nothing is referred to. `undo` is what
 * taking an import back needs, as JSON: of answers imported before, the numbers that they had been given, one import after
 * the other. Checkpoints and files of logs name the import that counted their last lines; a checkpoint that a later import gave
 * up stays for that one's undo.
 */
export const recordedChanges = `
CREATE TABLE recorded_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  site_id TEXT,
  kind TEXT NOT NULL,
  snapshot INTEGER,
  actor TEXT,
  result TEXT NOT NULL CHECK (json_valid(result)),
  undo TEXT CHECK (json_valid(undo)),
  undone_by TEXT,
  created_at TEXT NOT NULL
) STRICT;

INSERT INTO recorded_changes (id, site_id, kind, snapshot, result, created_at)
SELECT id, site_id, kind, snapshot, result, created_at FROM imports ORDER BY snapshot;

UPDATE recorded_changes SET undo = json_object('firstAnswerNo', first_no, 'nextAnswerNo', next_no)
FROM (
  SELECT id AS import_id, coalesce(lag(next_no) OVER of_site, 1) AS first_no, next_no, site_id AS numbered_site
  FROM (
    SELECT id, site_id, seq,
      1 + sum(json_extract(result, '$.imported') + json_extract(result, '$.no_answer')) OVER of_site AS next_no
    FROM recorded_changes
    WHERE kind = 'import_answers'
    WINDOW of_site AS (PARTITION BY site_id ORDER BY seq)
  )
  WINDOW of_site AS (PARTITION BY site_id ORDER BY seq)
)
WHERE id = import_id AND (
  SELECT next_value - 1 FROM site_counters WHERE site_counters.site_id = numbered_site AND name = 'answer_no'
) = (
  SELECT sum(json_extract(result, '$.imported') + json_extract(result, '$.no_answer'))
  FROM imports WHERE imports.site_id = numbered_site AND imports.kind = 'import_answers'
);

DROP TABLE imports;

CREATE INDEX recorded_changes_by_site ON recorded_changes (site_id, seq);

ALTER TABLE log_checkpoints ADD COLUMN import_no INTEGER;
ALTER TABLE log_checkpoints ADD COLUMN given_up_by INTEGER;
ALTER TABLE log_files ADD COLUMN import_no INTEGER;
`
