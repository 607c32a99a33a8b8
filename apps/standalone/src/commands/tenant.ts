import { formatTimestamp, newId, StartError } from '@eas/core';
import { removeTenant } from '@eas/db/admin';
import { ensureShippedWorkflows } from '@eas/workflows';
import { shippedWorkflows } from '../preparation/seed.ts';
import { say } from '../terminal.ts';
import { defineCommand, jsonOption, readName } from './command.ts';
import { inSystem, inTenant } from './in-system.ts';
import { printRows } from './print-rows.ts';
import { withDatabase } from './with-database.ts';

const listOptions = { json: jsonOption } as const;

export const listTenantsCommand = defineCommand({
  usage: '[--json]',
  about: 'lists the tenants, the oldest first',
  options: listOptions,
  async run({ values }, config) {
    const tenants = await inSystem(config, (contextOf) =>
      contextOf().db.prisma.tenant.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    );
    const rows = tenants.map(({ id, slug, name, createdAt }) => ({
      id,
      slug,
      name,
      created_at: formatTimestamp(createdAt),
    }));
    printRows(rows, { columns: ['id', 'slug', 'name', 'created_at'], json: values.json });
  },
});

export const createTenantCommand = defineCommand({
  usage: '<slug> [name]',
  about: 'creates a tenant with the shipped workflows and prints its id',
  maxWords: 2,
  async run({ words: [slug = '', given = slug] }, config) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(slug))
      throw new StartError('The slug must consist of at most 63 lowercase letters, digits and -.');
    const name = readName(given);
    await inSystem(config, async (contextOf) => {
      const id = newId('tenant');
      const { count } = await contextOf().db.prisma.tenant.createMany({
        data: { id, slug, name },
        skipDuplicates: true,
      });
      if (count === 0) throw new StartError(`The tenant ${slug} already exists.`);
      await ensureShippedWorkflows(contextOf(id), shippedWorkflows(config));
      say(`tenant ${id}`);
    });
  },
});

/** Longer than any process caches a credential or a secret. */
const settleMs = 3_000;

const deleteOptions = { yes: { type: 'boolean', about: 'confirms' } } as const;

export const deleteTenantCommand = defineCommand({
  usage: '<slug> --yes',
  about: 'deletes a tenant and all its data, even while the system is running',
  options: deleteOptions,
  maxWords: 1,
  async run({ values, words }, config) {
    const [slug = ''] = words;
    if (slug === 'default') throw new StartError('The tenant default cannot be deleted.');
    const id = await inTenant(config, slug, async ({ tenantId }) => tenantId);
    if (!values.yes)
      throw new StartError(`This deletes every task, agent, key and event of ${slug}. Add --yes to confirm.`);
    await withDatabase(config, (databaseUrl) => removeTenant(databaseUrl, id, { settleMs }), { isOwner: true });
    say(`deleted tenant ${id}`);
  },
});
