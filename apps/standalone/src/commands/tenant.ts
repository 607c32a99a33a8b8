import { createTenant, listTenants } from '@eas/access';
import { closeTenantUsage } from '@eas/analytics';
import { createTenantBody } from '@eas/contracts';
import { AppError, StartError } from '@eas/core';
import { contextInTransaction, contextOfOther, removeTenant, type Tx } from '@eas/db';
import { ensureShippedWorkflows } from '@eas/workflows';
import { shippedWorkflows } from '../preparation/seed.ts';
import { say } from '../terminal.ts';
import { defineCommand, jsonOption, readName } from './command.ts';
import { inSystem, inTenant } from './in-system.ts';
import { printRows } from './print-rows.ts';
import { readAll } from './read-all.ts';

const listOptions = { json: jsonOption } as const;

export const listTenantsCommand = defineCommand({
  usage: '[--json]',
  about: 'lists the tenants, the oldest first',
  options: listOptions,
  async run({ values }, config) {
    const tenants = await inSystem(config, (contextOf) => readAll((page) => listTenants(contextOf(), {}, page)));
    const rows = tenants.map(({ limits: _limits, retention: _retention, ...tenant }) => tenant);
    printRows(rows, { columns: ['id', 'slug', 'name', 'plan', 'status', 'created_at'], json: values.json });
  },
});

export const createTenantCommand = defineCommand({
  usage: '<slug> [name]',
  about: 'creates a tenant with the shipped workflows and prints its id',
  maxWords: 2,
  async run({ words: [slug = '', given = slug] }, config) {
    if (!createTenantBody.shape.slug.safeParse(slug).success)
      throw new StartError('The slug must consist of at most 63 lowercase letters, digits and -.');
    const name = readName(given);
    await inSystem(config, async (contextOf) => {
      const ctx = contextOf();
      const id = await ctx.inTransaction(async (tx) => {
        const inner = contextInTransaction(ctx, tx);
        const { body } = await createTenant(inner, { slug, name }).catch(explainTaken(slug));
        await ensureShippedWorkflows(contextOfOther(inner, tx, body.id), shippedWorkflows(config));
        return body.id;
      });
      say(`tenant ${id}`);
    });
  },
});

const explainTaken = (slug: string) => (error: unknown) => {
  if (error instanceof AppError && error.code === 'conflict')
    throw new StartError(`The tenant ${slug} already exists.`, error);
  throw error;
};

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
    const beforehand = (tx: Tx) => closeTenantUsage(tx, id);
    await inSystem(config, (contextOf) => removeTenant(contextOf(), id, { beforehand }));
    say(`deleted tenant ${id}`);
  },
});
