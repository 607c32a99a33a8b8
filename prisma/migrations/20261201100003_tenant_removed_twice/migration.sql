-- A command and the sweep may remove the same tenant at once: for the second one it is gone, which is no error.
CREATE OR REPLACE FUNCTION remove_audit_entries(removed_tenant text, max_rows int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed int;
BEGIN
  IF EXISTS (SELECT FROM tenants WHERE id = removed_tenant AND removed_at IS NULL) THEN
    RAISE EXCEPTION 'tenant % is not being removed', removed_tenant;
  END IF;
  DELETE FROM audit_log WHERE tenant_id = removed_tenant AND id IN (
    SELECT id FROM audit_log WHERE tenant_id = removed_tenant ORDER BY id LIMIT max_rows FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
