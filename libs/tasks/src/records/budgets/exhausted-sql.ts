/**
 * Budgets (`b`, their period `p`) that are used up for more than single tasks: few rows, whatever there was before.
 * `tenant` is the expression of the tenant, `role` and `agent` whose calls are meant.
 */
export const exhaustedSql = ({ tenant, role, agent }: { tenant: string; role: string; agent: string }) => `
  FROM budget_periods p JOIN budgets b ON b.tenant_id = p.tenant_id AND b.id = p.budget_id
  WHERE p.tenant_id = ${tenant} AND p.exhausted_at IS NOT NULL AND p.ends_at > app_now() AND p.spent >= b.limit_amount
    AND (b.scope, b.scope_id) IN (('tenant', ''), ('role', ${role}), ('agent', ${agent}))`;
