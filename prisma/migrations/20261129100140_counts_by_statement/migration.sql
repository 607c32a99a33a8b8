-- Moves of one statement are counted together, with one row for each status and role whose number they change.
CREATE FUNCTION note_moved_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO task_count_deltas (tenant_id, status, role, n)
  SELECT tenant_id, status, role, sum(n) FROM (
    SELECT tenant_id, status, coalesce(assigned_role, '') AS role, -1 AS n FROM older
    UNION ALL
    SELECT tenant_id, status, coalesce(assigned_role, ''), 1 FROM newer
  ) AS moved
  GROUP BY 1, 2, 3 HAVING sum(n) <> 0;
  RETURN NULL;
END $$;

DROP TRIGGER tasks_count_moved ON tasks;
CREATE TRIGGER tasks_count_moved AFTER UPDATE ON tasks
  REFERENCING OLD TABLE AS older NEW TABLE AS newer
  FOR EACH STATEMENT EXECUTE FUNCTION note_moved_tasks();
DROP FUNCTION note_moved_task();
