ALTER TABLE "tenants"
  ADD COLUMN "plan" TEXT,
  ADD COLUMN "rate_limit" INTEGER,
  ADD COLUMN "limits" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
  ADD COLUMN "suspended_reason" TEXT,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
-- app_now() is stable: the rows are not written again.
-- squawk-ignore adding-field-with-default
ALTER TABLE "tenants" ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now();
-- Tenants are few: reading them all takes milliseconds.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_suspension"
  CHECK (("suspended_at" IS NULL) = ("suspended_reason" IS NULL));

-- The role of the apps must not delete audit entries, but for those of a tenant that is being removed.
CREATE FUNCTION remove_audit_entries(removed_tenant text, max_rows int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed int;
BEGIN
  IF NOT EXISTS (SELECT FROM tenants WHERE id = removed_tenant AND removed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'tenant % is not being removed', removed_tenant;
  END IF;
  DELETE FROM audit_log WHERE tenant_id = removed_tenant AND id IN (
    SELECT id FROM audit_log WHERE tenant_id = removed_tenant ORDER BY id LIMIT max_rows FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION remove_audit_entries(text, int) FROM PUBLIC;
