import { maxReplayTotal, type Page, type PageOfItems, type ReplayListQuery } from '@eas/contracts';
import { type DbScope, equalFields, fetchPage, type ListSource, selectList, type Tx, within } from '@eas/db';
import { hasEventSql } from './due-again-sql.ts';
import type { Replay, Selection } from './replay.ts';

const visible = {
  id: true,
  endpointId: true,
  status: true,
  filter: true,
  maxPerSecond: true,
  total: true,
  replayed: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  finishedAt: true,
} as const;

export async function findReplay({ db, tenantId }: DbScope, id: string): Promise<Replay | undefined> {
  const replay = await db.prisma.replay.findFirst({ where: { tenantId, id }, select: visible });
  return (replay ?? undefined) as Replay | undefined;
}

const source: ListSource = {
  from: 'replays',
  columns: selectList(visible),
  sortable: {
    id: { sql: 'id', type: 'text' },
    status: { sql: 'status', type: 'text' },
    created_by: { sql: 'created_by', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
    finished_at: { sql: 'finished_at', type: 'timestamptz', isNullable: true },
  },
};

export type ReplayListFilter = Omit<ReplayListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export function pageReplays(
  scope: DbScope,
  endpointId: string,
  filter: ReplayListFilter,
  page: Page,
): Promise<PageOfItems<Replay>> {
  const ofEndpoint = within({ sql: (id) => `endpoint_id = ${id}`, value: endpointId });
  return fetchPage<Replay>(scope, source, [ofEndpoint, ...equalFields(source, filter)], page);
}

const countSql = (isDeadOnly: boolean) => `
  SELECT count(*)::int AS total FROM (
    SELECT FROM deliveries d
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id >= $3 AND d.event_id < $4
      ${isDeadOnly ? "AND d.status = 'dead'" : ''} AND d.status <> ALL ($5::text[]) AND ${hasEventSql('d', '$6')}
    LIMIT ${maxReplayTotal}
  ) AS matching`;

/** The number of deliveries that match, up to the most that is counted. */
export async function countSelected({ db, tenantId }: Tx, selection: Selection): Promise<number> {
  const { endpointId, fromId, beforeId, otherStatuses, types, isDeadOnly } = selection;
  const [row] = await db.query<{ total: number }>(
    countSql(isDeadOnly),
    [tenantId, endpointId, fromId, beforeId, otherStatuses, types],
    { isPrepared: false },
  );
  return row?.total ?? 0;
}
