-- Set when the tenant is being deleted for good: from then on its audit entries may be removed, those of others never.
ALTER TABLE "tenants" ADD COLUMN "removed_at" TIMESTAMPTZ(3);

CREATE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tenants WHERE id = OLD.tenant_id AND removed_at IS NULL) THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$$;

CREATE TRIGGER "audit_log_unchanged" BEFORE UPDATE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Under the name that the release before turns off while it deletes a tenant.
CREATE OR REPLACE TRIGGER "audit_log_append_only" BEFORE DELETE ON "audit_log"
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_removed();
