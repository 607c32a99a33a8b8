import type { Page, PageOfItems, WebhookListQuery } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import type { Endpoint } from './endpoint.ts';

/** All that is shown: no secrets. */
export const shownFields = {
  id: true,
  url: true,
  description: true,
  events: true,
  headerNames: true,
  ordering: true,
  maxPerSecond: true,
  status: true,
  statusReason: true,
  statusChangedAt: true,
  failingSince: true,
  failuresInRow: true,
  lastSuccessAt: true,
  lastFailureAt: true,
  previousSecretUntil: true,
  createdAt: true,
  updatedAt: true,
  version: true,
} as const;

/** One endpoint that was not deleted. */
export async function findEndpoint({ db, tenantId }: DbScope, id: string): Promise<Endpoint | null> {
  return db.prisma.endpoint.findFirst({ where: { tenantId, id, deletedAt: null }, select: shownFields });
}

const source: ListSource = {
  from: 'endpoints',
  columns: selectList(shownFields),
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    url: { sql: 'url', type: 'text', isLong: true },
    description: { sql: 'description', type: 'text', isNullable: true },
    ordering: { sql: 'ordering', type: 'text' },
    max_per_second: { sql: 'max_per_second', type: 'int', isNullable: true },
    status: { sql: 'status', type: 'text' },
    status_reason: { sql: 'status_reason', type: 'text', isNullable: true },
    status_changed_at: { sql: 'status_changed_at', type: 'timestamptz', isNullable: true },
    failing_since: { sql: 'failing_since', type: 'timestamptz', isNullable: true },
    failures_in_row: { sql: 'failures_in_row', type: 'int' },
    last_success_at: { sql: 'last_success_at', type: 'timestamptz', isNullable: true },
    last_failure_at: { sql: 'last_failure_at', type: 'timestamptz', isNullable: true },
    previous_secret_until: { sql: 'previous_secret_until', type: 'timestamptz', isNullable: true },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
  },
};

export type EndpointFilter = Omit<WebhookListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export async function pageEndpoints(
  scope: DbScope,
  filter: EndpointFilter,
  page: Page,
): Promise<PageOfItems<Endpoint>> {
  const conditions = Object.entries(filter).map(([field, value]) => equals(field, value));
  return fetchPage<Endpoint>(scope, source, conditions, page);
}

/**
 * The data of an endpoint for sending; `secret`, `previousSecret` and `headers` are sealed. `previousSecret` is null
 * once its time is over.
 */
export type Target = {
  url: string;
  secret: string;
  previousSecret: string | null;
  headers: string | null;
  /** none or task. */
  ordering: string;
  maxPerSecond: number | null;
  /** deleted counts as one. */
  status: 'active' | 'failing' | 'paused' | 'disabled' | 'deleted';
  /** Failed attempts since the last success, which is exact to a minute. */
  failuresInRow: number;
  lastSuccessAt: Date | null;
};

const targetSql = `
  SELECT url, secret, headers, ordering, max_per_second AS "maxPerSecond",
    CASE WHEN previous_secret_until > app_now() THEN previous_secret END AS "previousSecret",
    CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status, failures_in_row AS "failuresInRow",
    last_success_at AS "lastSuccessAt"
  FROM endpoints WHERE tenant_id = $1 AND id = $2`;

export async function findTarget({ db, tenantId }: DbScope, endpointId: string): Promise<Target | undefined> {
  const [target] = await db.query<Target>(targetSql, [tenantId, endpointId]);
  return target;
}
