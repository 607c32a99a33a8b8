-- Since when deliveries may be held that the endpoint takes, or never will: it has left its pause, was disabled or deleted,
-- or kept one although it is not paused. Null: whatever is held waits for its pause to end. A trigger keeps it, so that
-- processes of the version before keep it too.
ALTER TABLE "endpoints" ADD COLUMN "drains_since" TIMESTAMPTZ(3);

CREATE FUNCTION note_drain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.drains_since := CASE WHEN NEW.status <> 'paused' OR NEW.deleted_at IS NOT NULL THEN app_now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER "endpoints_drain" BEFORE UPDATE OF status, deleted_at ON "endpoints"
FOR EACH ROW WHEN ((OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.status, NEW.deleted_at))
EXECUTE FUNCTION note_drain();

UPDATE "endpoints" SET "drains_since" = app_now() WHERE "status" <> 'paused' OR "deleted_at" IS NOT NULL;
