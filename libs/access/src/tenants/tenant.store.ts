import { AppError } from '@eas/core';
import { brokenConstraint, type Db, selectList } from '@eas/db';
import type { Tenant } from './tenant.ts';
import { tenantFields } from './tenant.read-model.ts';

type On = { db: Db };

export type NewTenant = Pick<
  Tenant,
  'id' | 'slug' | 'name' | 'plan' | 'rateLimit' | 'limits' | 'retention' | 'createdAt'
>;

/** Adds a tenant; throws conflict when another one has the slug. */
export async function insertTenant({ db }: On, tenant: NewTenant): Promise<Tenant> {
  const data = { ...tenant, updatedAt: tenant.createdAt };
  return (await db.prisma.tenant.create({ data, select: tenantFields }).catch(refuseTakenSlug)) as Tenant;
}

function refuseTakenSlug(error: unknown): never {
  if (brokenConstraint(error) !== 'tenants_slug_key') throw error;
  const message = 'slug is already used by another tenant.';
  throw new AppError('conflict', { field: 'slug', constraint: 'exists', message, cause: error });
}

const lockSql = `SELECT ${selectList(tenantFields)} FROM tenants WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks one tenant until the transaction ends. */
export async function lockTenant({ db }: On, id: string): Promise<Tenant | undefined> {
  const [tenant] = await db.query<Tenant>(lockSql, [id]);
  return tenant;
}

/** Writes a locked tenant back as its next version. */
export async function updateTenant(
  { db }: On,
  { id, slug: _slug, createdAt: _createdAt, version: _version, ...data }: Tenant,
  updatedAt: Date,
): Promise<Tenant> {
  const changed = { ...data, updatedAt, version: { increment: 1 } };
  return (await db.prisma.tenant.update({ where: { id }, data: changed, select: tenantFields })) as Tenant;
}
