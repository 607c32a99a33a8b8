-- Task lists at any size: pages and totals that cost the same for ten thousand tasks and for a million.

-- Set by the feature that runs workflows.
ALTER TABLE "tasks" ADD COLUMN "workflow_run_id" TEXT COLLATE "C";

-- Ids are read in the order of creation, so the id and created_at of a task tell the same millisecond. Older ids were
-- made by the clock of a process and differ from created_at by milliseconds; theirs is the order that lists have shown.
-- A day of a roll-up keeps its tasks: a moment that would cross midnight stays.
CREATE FUNCTION pg_temp.id_moment(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(0) + sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 4 + n, 1)) - 1) * (32::bigint ^ (10 - n)))
    * interval '1 millisecond'
  FROM generate_series(1, 10) AS n
$$;
UPDATE "tasks" t SET created_at = pg_temp.id_moment(id)
WHERE created_at <> pg_temp.id_moment(id)
  AND (created_at AT TIME ZONE 'UTC')::date = (pg_temp.id_moment(id) AT TIME ZONE 'UTC')::date;
UPDATE "analytics_task_facts" f SET created_at = t.created_at
FROM "tasks" t WHERE t.tenant_id = f.tenant_id AND t.id = f.task_id AND t.created_at <> f.created_at;

-- The values of free-form fields that lists are filtered by, one row each, so that their pages are read in order of
-- the id. Values longer than a filter may be are left out.
CREATE TABLE "task_labels" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "task_labels_pkey" PRIMARY KEY ("tenant_id","label","task_id")
);

CREATE FUNCTION task_labels_of(tags text[], metadata jsonb, run_id text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT 'tag:' || tag FROM unnest(tags) AS tag
  UNION ALL
  SELECT name || ':' || (metadata ->> name) FROM (VALUES ('ticket_id'), ('repository')) AS names (name)
  WHERE jsonb_typeof(metadata -> name) IN ('string', 'number', 'boolean') AND char_length(metadata ->> name) <= 500
  UNION ALL
  SELECT 'run:' || run_id WHERE run_id IS NOT NULL
$$;
INSERT INTO "task_labels" (tenant_id, label, task_id)
SELECT t.tenant_id, label, t.id FROM "tasks" t, task_labels_of(t.tags, t.metadata, t.workflow_run_id) AS label;

-- How many tasks there are: what is folded, and the changes since. The database itself notes each change, as a row of
-- its own, so that no two writers wait for each other.
CREATE TABLE "task_counts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "task_counts_pkey" PRIMARY KEY ("tenant_id","status","role")
);
CREATE TABLE "task_count_deltas" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "task_count_deltas_pkey" PRIMARY KEY ("tenant_id","id")
);
-- Numbers of the database are read as numbers of the program, which are exact so far.
ALTER SEQUENCE "task_count_deltas_id_seq" MAXVALUE 9007199254740991;
-- It is emptied all the time: what is gone must not be read over.
ALTER TABLE "task_count_deltas" SET (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

CREATE FUNCTION note_new_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO task_count_deltas (tenant_id, status, role, n)
  SELECT tenant_id, status, coalesce(assigned_role, ''), count(*) FROM new_tasks GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION note_moved_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO task_count_deltas (tenant_id, status, role, n)
  VALUES (OLD.tenant_id, OLD.status, coalesce(OLD.assigned_role, ''), -1),
         (NEW.tenant_id, NEW.status, coalesce(NEW.assigned_role, ''), 1);
  RETURN NULL;
END $$;
CREATE FUNCTION note_gone_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO task_count_deltas (tenant_id, status, role, n)
  SELECT tenant_id, status, coalesce(assigned_role, ''), -count(*) FROM gone_tasks GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER "tasks_count_new" AFTER INSERT ON "tasks"
  REFERENCING NEW TABLE AS new_tasks FOR EACH STATEMENT EXECUTE FUNCTION note_new_tasks();
CREATE TRIGGER "tasks_count_moved" AFTER UPDATE ON "tasks" FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.assigned_role IS DISTINCT FROM NEW.assigned_role)
  EXECUTE FUNCTION note_moved_task();
CREATE TRIGGER "tasks_count_gone" AFTER DELETE ON "tasks"
  REFERENCING OLD TABLE AS gone_tasks FOR EACH STATEMENT EXECUTE FUNCTION note_gone_tasks();
INSERT INTO "task_counts" (tenant_id, status, role, n)
SELECT tenant_id, status, coalesce(assigned_role, ''), count(*) FROM "tasks" GROUP BY 1, 2, 3;

-- Each serves a filter in the default order, and the sort by its field. The primary key serves id and created_at. It is
-- made anew behind them: on an empty table all of them cost the same for a look-up by id, of equals the planner takes
-- the newest, and a foreign key check keeps its plan until the first ANALYZE.
DROP INDEX "tasks_tenant_id_created_at_id_idx";
ALTER TABLE "task_timeline" DROP CONSTRAINT "task_timeline_tenant_id_task_id_fkey";
ALTER TABLE "leases" DROP CONSTRAINT "leases_tenant_id_task_id_fkey";
ALTER TABLE "task_links" DROP CONSTRAINT "task_links_tenant_id_task_id_fkey";
ALTER TABLE "tasks" DROP CONSTRAINT "tasks_pkey";
CREATE INDEX "tasks_tenant_id_title_id_idx" ON "tasks"("tenant_id", "title", "id");
CREATE INDEX "tasks_tenant_id_status_id_idx" ON "tasks"("tenant_id", "status", "id");
CREATE INDEX "tasks_tenant_id_priority_id_idx" ON "tasks"("tenant_id", "priority", "id");
CREATE INDEX "tasks_tenant_id_assigned_role_id_idx" ON "tasks"("tenant_id", "assigned_role", "id");
CREATE INDEX "tasks_tenant_id_assigned_agent_id_idx" ON "tasks"("tenant_id", "assigned_agent", "id");
CREATE INDEX "tasks_tenant_id_due_date_id_idx" ON "tasks"("tenant_id", "due_date", "id");
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_pkey" PRIMARY KEY ("tenant_id","id");
ALTER TABLE "task_timeline" ADD CONSTRAINT "task_timeline_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "leases" ADD CONSTRAINT "leases_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "task_links" ADD CONSTRAINT "task_links_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The newest of the tasks that are due before a moment: a range of one field in the order of another, which no B-tree
-- reads in order. With created_at first a page of the index holds tasks of about one time, and is read only if one of
-- them is due early enough. Other conditions on the due date do not find it: the planner takes its cost for too low.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE INDEX "tasks_due_before_idx" ON "tasks" USING gist ("tenant_id", "created_at", ("due_date" AT TIME ZONE 'UTC')) WHERE due_date IS NOT NULL;
