import type { Page, PageOfItems } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';

export type AuditRow = {
  id: string;
  action: string;
  actorId: string;
  credentialId: string | null;
  targetId: string | null;
  data: Record<string, unknown>;
  remoteAddress: string | null;
  requestId: string | null;
  createdAt: Date;
};

const source: ListSource = {
  from: 'audit_log',
  columns: `id, action, actor_id AS "actorId", credential_id AS "credentialId", target_id AS "targetId", data,
    remote_address AS "remoteAddress", request_id AS "requestId", created_at AS "createdAt"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    action: { sql: 'action', type: 'text' },
    actor_id: { sql: 'actor_id', type: 'text' },
    credential_id: { sql: 'credential_id', type: 'text', isNullable: true },
    target_id: { sql: 'target_id', type: 'text', isNullable: true },
    remote_address: { sql: 'remote_address', type: 'text', isNullable: true },
    request_id: { sql: 'request_id', type: 'text', isNullable: true },
    created_at: { sql: 'created_at', type: 'timestamptz' },
  },
};

export type AuditFilter = Partial<
  Record<'id' | 'action' | 'actor_id' | 'credential_id' | 'target_id' | 'remote_address' | 'request_id', string> &
    Record<'created_at', Date>
>;

export function pageAudit(scope: DbScope, filter: AuditFilter, page: Page): Promise<PageOfItems<AuditRow>> {
  const conditions = Object.entries(filter).map(([field, value]) => equals(field, value));
  return fetchPage<AuditRow>(scope, source, conditions, page);
}
