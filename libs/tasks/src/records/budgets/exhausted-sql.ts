import { profileIdSql } from '../holders.ts';

/** Budgets (`b`, their period `p`) of a tenant that are used up for more than single tasks: few rows, whatever there was before. */
const usedUpSql = (tenant: string) => `
  FROM budget_periods p JOIN budgets b ON b.tenant_id = p.tenant_id AND b.id = p.budget_id
  WHERE p.tenant_id = ${tenant} AND p.exhausted_at IS NOT NULL AND p.ends_at > app_now() AND p.spent >= b.limit_amount`;

/** Expressions of the tenant, and of whose calls are meant. Without a project, none of a project is meant. */
export type ExhaustedFor = { tenant: string; role: string; agent: string; project?: string };

/** Those that keep the agent from a task. */
export const exhaustedSql = ({ tenant, role, agent, project = 'NULL' }: ExhaustedFor) => `${usedUpSql(tenant)}
    AND (b.scope, b.scope_id) IN (('tenant', ''), ('role', ${role}), ('agent', ${agent}), ('project', ${project}),
      ('profile', ${profileIdSql({ tenant, role, agent })}))`;

/** Those of projects: of one, where its expression is given. */
export const exhaustedProjectsSql = (tenant: string, project = 'b.scope_id') => `${usedUpSql(tenant)}
    AND (b.scope, b.scope_id) = ('project', ${project})`;
