import { parseArgs } from 'node:util';
import { newId, StartError } from '@eas/core';
import { removeTenant } from '@eas/db/admin';
import { ensureShippedWorkflows } from '@eas/workflows';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { shippedWorkflows, withContext } from '../preparation/seed.ts';
import { createTerminalLogger, say } from '../terminal.ts';
import type { Command } from './command.ts';
import { tenantContext } from './tenant-context.ts';
import { withDatabase } from './with-database.ts';

export const createTenantCommand: Command = {
  usage: '<slug> [name]',
  about: 'creates a tenant with the shipped workflows and prints its id',
  async run([slug = '', name = slug], config) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(slug))
      throw new StartError('The slug must consist of at most 63 lowercase letters, digits and -.');
    const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false) };
    await withDatabase(config, (databaseUrl) =>
      withContext({ ...parts, databaseUrl }, async (contextOf) => {
        const id = newId('tenant');
        const { count } = await contextOf().db.prisma.tenant.createMany({
          data: { id, slug, name },
          skipDuplicates: true,
        });
        if (count === 0) throw new StartError(`The tenant ${slug} already exists.`);
        await ensureShippedWorkflows(contextOf(id), shippedWorkflows(config));
        say(`tenant ${id}`);
      }),
    );
  },
};

/** Longer than any process keeps a credential or a secret without looking again. */
const settleMs = 3_000;

export const deleteTenantCommand: Command = {
  usage: '<slug> --yes',
  about: 'deletes a tenant and all its data, even while the system is running',
  async run(args, config) {
    const { values, positionals } = parseArgs({ args, options: { yes: { type: 'boolean' } }, allowPositionals: true });
    const [slug = ''] = positionals;
    if (slug === 'default') throw new StartError('The tenant default cannot be deleted.');
    const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false) };
    await withDatabase(config, async (databaseUrl) => {
      const id = await withContext({ ...parts, databaseUrl }, async (contextOf) => {
        const ctx = await tenantContext(contextOf, slug);
        return ctx.tenantId;
      });
      if (!values.yes)
        throw new StartError(`This deletes every task, agent, key and event of ${slug}. Add --yes to confirm.`);
      await removeTenant(databaseUrl, id, { settleMs });
      say(`deleted tenant ${id}`);
    });
  },
};
