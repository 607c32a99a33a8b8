import type { Page, PageOfItems, WebhookListQuery } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import type { Endpoint } from './endpoint.ts';

const visible = { id: true, url: true, events: true, status: true, createdAt: true, updatedAt: true } as const;
type VisibleEndpoint = Omit<Endpoint, 'secret'>;

/** One endpoint that was not deleted. */
export async function findEndpoint({ db, tenantId }: DbScope, id: string): Promise<VisibleEndpoint | null> {
  return db.prisma.endpoint.findFirst({ where: { tenantId, id, deletedAt: null }, select: visible });
}

const source: ListSource = {
  from: 'endpoints',
  columns: selectList(visible),
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    url: { sql: 'url', type: 'text', isLong: true },
    status: { sql: 'status', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
  },
};

export type EndpointFilter = Omit<WebhookListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export async function pageEndpoints(
  scope: DbScope,
  filter: EndpointFilter,
  page: Page,
): Promise<PageOfItems<VisibleEndpoint>> {
  const conditions = Object.entries(filter).map(([field, value]) => equals(field, value));
  return fetchPage<VisibleEndpoint>(scope, source, conditions, page);
}

/** What sending needs of an endpoint; `secret` is sealed. */
export type Target = { url: string; secret: string; isActive: boolean };

const targetSql = `
  SELECT url, secret, status = 'active' AND deleted_at IS NULL AS "isActive"
  FROM endpoints WHERE tenant_id = $1 AND id = $2`;

export async function findTarget({ db, tenantId }: DbScope, endpointId: string): Promise<Target | undefined> {
  const [target] = await db.query<Target>(targetSql, [tenantId, endpointId]);
  return target;
}
