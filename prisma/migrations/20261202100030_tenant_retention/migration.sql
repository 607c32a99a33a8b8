-- Days by kind of row, such as {"auditDays": 400}. What is missing is as the installation has it.
ALTER TABLE "tenants" ADD COLUMN "retention" JSONB NOT NULL DEFAULT '{}';

-- Entries younger than 30 days stay, whatever the retention is and whoever asks: nothing hides what it has just done.
CREATE OR REPLACE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '30 days'
    AND EXISTS (SELECT FROM tenants WHERE id = OLD.tenant_id AND removed_at IS NULL) THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$$;

CREATE FUNCTION remove_old_audit_entries(of_tenant text, old_entries text[]) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed int;
BEGIN
  DELETE FROM audit_log WHERE tenant_id = of_tenant AND id = ANY(old_entries);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION remove_old_audit_entries(text, text[]) FROM PUBLIC;
