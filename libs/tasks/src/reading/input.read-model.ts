import {
  type InputFilter,
  inputKinds,
  type InputResource,
  inputStatuses,
  type Page,
  type PageOfItems,
} from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, type ListSource, within } from '@eas/db';
import { type LeaseEnd, leaseEndTexts } from '../records/leases/lease-end.ts';
import { inputColumns } from '../records/inputs/input.store.ts';
import type { Input } from '../records/inputs/input.ts';

const ofAnswer = (field: string) =>
  ({ sql: `(answer ->> '${field}')`, type: 'text', isNullable: true, isLong: true }) as const;

const source: ListSource = {
  from: 'inputs',
  columns: inputColumns,
  sortable: {
    id: { sql: 'id', type: 'text' },
    task_id: { sql: 'task_id', type: 'text' },
    lease_id: { sql: 'lease_id', type: 'text' },
    agent_id: { sql: 'agent_id', type: 'text' },
    kind: { sql: 'kind', type: 'text', order: inputKinds },
    prompt: { sql: 'prompt', type: 'text', isLong: true },
    blocking: { sql: '(is_blocking::text)', type: 'text' },
    status: { sql: 'status', type: 'text', order: inputStatuses },
    answer: ofAnswer('answer'),
    decision: ofAnswer('decision'),
    comment: ofAnswer('comment'),
    answered_by: { sql: 'answered_by', type: 'text', isNullable: true },
    answered_by_name: ofAnswer('author'),
    // The id has the same time.
    created_at: { sql: 'id', type: 'text' },
    expires_at: { sql: 'expires_at', type: 'timestamptz' },
    answered_at: { sql: 'answered_at', type: 'timestamptz', isNullable: true },
  },
};

export async function pageInputs(
  scope: DbScope,
  { agentId, filter: { created_at: createdAt, ...filter } }: { agentId?: string | undefined; filter: InputFilter },
  page: Page,
): Promise<PageOfItems<Input>> {
  const conditions = [
    within(equals('agent_id', agentId)),
    equals('created_at', createdAt),
    ...equalFields(source, filter),
  ];
  return fetchPage<Input>(scope, source, conditions, page);
}

const oneSql = `SELECT ${inputColumns} FROM inputs WHERE tenant_id = $1 AND id = $2`;

export async function findInput({ db, tenantId }: DbScope, id: string): Promise<Input | undefined> {
  const [input] = await db.query<Input>(oneSql, [tenantId, id]);
  return input;
}

const endSql = 'SELECT end_reason AS reason FROM leases WHERE tenant_id = $1 AND id = $2';

/** A short reason why an input was cancelled: its lease has ended. Undefined if unknown. */
export async function whyCancelled(
  { db, tenantId }: DbScope,
  { lease_id: leaseId }: InputResource,
): Promise<string | undefined> {
  const [lease] = await db.query<{ reason: LeaseEnd | null }>(endSql, [tenantId, leaseId]);
  return lease?.reason ? leaseEndTexts[lease.reason] : undefined;
}
