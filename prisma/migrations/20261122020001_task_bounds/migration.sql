-- Since when a task has its status, or its platform has it wait; null: it has not moved since it was made, or since
-- this column is there. A trigger keeps it, so that processes of the version before keep it too.
ALTER TABLE "tasks" ADD COLUMN "waits_since" TIMESTAMPTZ(3);

CREATE FUNCTION note_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.waits_since := NEW.updated_at;
  RETURN NEW;
END $$;
CREATE TRIGGER "tasks_wait" BEFORE UPDATE OF status, is_held ON "tasks"
FOR EACH ROW WHEN ((OLD.status, OLD.is_held) IS DISTINCT FROM (NEW.status, NEW.is_held)) EXECUTE FUNCTION note_wait();

-- Comments of a task's timeline, which are limited. Those from before are not counted.
ALTER TABLE "tasks" ADD COLUMN "comment_count" INTEGER NOT NULL DEFAULT 0;
