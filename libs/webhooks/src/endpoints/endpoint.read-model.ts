import type { Page, PageOfItems, WebhookListQuery } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { inHandCountSql } from '../deliveries/delivery-sql.ts';
import type { Endpoint } from './endpoint.ts';

const visible = { id: true, url: true, events: true, status: true, createdAt: true, updatedAt: true } as const;
type VisibleEndpoint = Omit<Endpoint, 'secret'>;

/** One endpoint that was not deleted. */
export async function findEndpoint({ db, tenantId }: DbScope, id: string): Promise<VisibleEndpoint | null> {
  return db.prisma.endpoint.findFirst({ where: { tenantId, id, deletedAt: null }, select: visible });
}

const columns = {
  id: 'id',
  url: 'url',
  status: 'status',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const;
export type EndpointSortField = keyof typeof columns;
export type EndpointFilter = Pick<WebhookListQuery, 'id' | 'url' | 'status' | 'created_at' | 'updated_at'>;

/** A page of endpoints. Undefined: `after` names none of the list. */
export async function listEndpointPage(
  { db, tenantId }: DbScope,
  { id, url, status, created_at: createdAt, updated_at: updatedAt }: EndpointFilter,
  { limit, offset, after, sort }: Page<EndpointSortField>,
): Promise<PageOfItems<VisibleEndpoint> | undefined> {
  const where = { tenantId, deletedAt: null, id, url, status, createdAt, updatedAt };
  const direction = sort.isDescending ? 'desc' : 'asc';
  const isAfterItem = after !== undefined && after !== '';
  if (
    isAfterItem &&
    !(await db.prisma.endpoint.findFirst({ where: { AND: [where, { id: after }] }, select: { id: true } }))
  )
    return undefined;
  const total = await db.prisma.endpoint.count({ where });
  const rows = await db.prisma.endpoint.findMany({
    where,
    select: visible,
    orderBy: [{ [columns[sort.field]]: direction }, { id: direction }],
    take: limit + 1,
    ...(isAfterItem ? { cursor: { tenantId_id: { tenantId, id: after } }, skip: 1 } : { skip: offset }),
  });
  return { items: rows.slice(0, limit), total, hasMore: rows.length > limit };
}

/** An endpoint that takes some of the events at hand, and how many due deliveries it has in the queue or being sent. */
export type Subscriber = { endpointId: string; events: string[]; inHand: number };

const subscribersSql = `
  SELECT e.id AS "endpointId", e.events,
    ${inHandCountSql('e.tenant_id', 'e.id')} AS "inHand"
  FROM endpoints e
  WHERE e.tenant_id = $1 AND e.status = 'active' AND e.deleted_at IS NULL AND e.events && $2::text[]`;

/** Active endpoints with one of the subscriptions. */
export function listSubscribers({ db, tenantId }: DbScope, subscriptions: readonly string[]): Promise<Subscriber[]> {
  return db.query<Subscriber>(subscribersSql, [tenantId, subscriptions]);
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
