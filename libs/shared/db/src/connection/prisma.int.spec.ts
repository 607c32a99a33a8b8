import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Tx } from '../transactions/tx.ts';
import { prismaOn } from './prisma.ts';
import { brokenConstraint } from './sql-error.ts';

const test = useTestDatabase();
const scope = { tenantId: '' };
beforeEach(async () => {
  scope.tenantId = await test.createTenant();
});
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => test.database.inTransaction(scope.tenantId, work);

describe('Prisma in transactions', () => {
  const rename = (name: string) => (tx: Tx) =>
    tx.db.prisma.tenant.update({ where: { id: tx.tenantId }, data: { name } });
  const name = async () =>
    (await test.database.db.prisma.tenant.findFirst({ where: { id: scope.tenantId } }))?.name ?? '';

  it('works on the connection of each, however many run at the same time', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => test.createTenant()));
    const seen = await Promise.all(
      tenants.map((tenantId) =>
        test.database.inTransaction(tenantId, async (tx) => {
          await rename(`changed ${tenantId}`)(tx);
          const [row] = await tx.db.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [tenantId]);
          return row?.name;
        }),
      ),
    );
    expect(seen).toEqual(tenants.map((tenantId) => `changed ${tenantId}`));
  });

  it('is unusable when its transaction has ended', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await inTransaction(async (tx) => {
      await rename('in time')(tx);
      const { prisma } = tx.db;
      late = () => prisma.tenant.update({ where: { id: tx.tenantId }, data: { name: 'late' } });
    });
    await expect(late?.()).rejects.toThrow('its transaction had ended');
    expect(await name()).toBe('in time');
  });

  it('opens none itself, which would commit the transaction that it takes part in', async () => {
    const { tenantId } = scope;
    const nested = inTransaction(async ({ db }) => {
      const user = { id: 'usr_1', email: 'ada@example.com', name: 'Ada', createdBy: 'system' };
      await db.prisma.tenant.update({ where: { id: tenantId }, data: { name: 'lost', users: { create: user } } });
    });
    await expect(nested).rejects.toThrow('Prisma opens no transaction');
    expect(await name()).toBe(tenantId);
  });

  it('refuses look-ups that it would join with those of another transaction', async () => {
    const lookUp = inTransaction(({ db, tenantId }) => db.prisma.tenant.findUnique({ where: { id: tenantId } }));
    await expect(lookUp).rejects.toThrow('use findFirst');
  });

  it('names the broken constraint as SQL does', async () => {
    const { tenantId } = scope;
    const again = { id: tenantId, slug: 'again', name: 'again' };
    const insertSql = 'INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $3)';
    const broken = [
      test.database.db.query(insertSql, [again.id, again.slug, again.name]),
      test.database.db.prisma.tenant.create({ data: again }),
      inTransaction(({ db }) => db.prisma.tenant.create({ data: again })),
    ];
    const names = broken.map((one) => one.catch((error: unknown) => brokenConstraint(error)));
    expect(await Promise.all(names)).toEqual(['tenants_pkey', 'tenants_pkey', 'tenants_pkey']);
  });

  it('reports that Postgres cannot be reached', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
    const nowhere = prismaOn(() => pool);
    await expect(nowhere.tenant.findFirst()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
