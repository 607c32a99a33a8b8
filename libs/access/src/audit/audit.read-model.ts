import type { Page, PageOfItems } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import { findCallerNames } from './caller-names.read-model.ts';

type AuditRow = {
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
    Record<'created_at' | 'created_after' | 'created_before', Date>
>;

/** `names`: by id. */
export type NamedAuditRow = AuditRow & { names: Record<string, string> };

export async function pageAudit(scope: DbScope, filter: AuditFilter, page: Page): Promise<PageOfItems<NamedAuditRow>> {
  const { created_after: from, created_before: before, ...equal } = filter;
  const conditions = [
    ...Object.entries(equal).map(([field, value]) => equals(field, value)),
    { sql: (at: string) => `created_at >= ${at}`, value: from },
    { sql: (at: string) => `created_at < ${at}`, value: before },
  ];
  const { items, ...rest } = await fetchPage<AuditRow>(scope, source, conditions, page);
  const found = await findCallerNames(scope, [...new Set(items.flatMap(idsOf))]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  const namesOf = (row: AuditRow) =>
    Object.fromEntries(
      idsOf(row)
        .filter((id) => names.has(id))
        .map((id) => [id, names.get(id) ?? '']),
    );
  return { ...rest, items: items.map((row) => ({ ...row, names: namesOf(row) })) };
}

const idsOf = ({ actorId, credentialId, targetId }: AuditRow): string[] =>
  [actorId, credentialId, targetId].filter((id) => id !== null);
