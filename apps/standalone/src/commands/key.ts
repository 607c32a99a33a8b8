import { createApiKey, type CreateApiKeyInput, listApiKeys, revokeApiKey } from '@eas/access';
import { parseTimestamp, type Scope, scopes, type Tier, tiers } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { lockAssignable } from '@eas/tasks';
import { AppError, StartError } from '@eas/core';
import { say } from '../terminal.ts';
import { defineCommand, jsonOption, readName, tenantOption } from './command.ts';
import { inTenant } from './in-system.ts';
import { printRows } from './print-rows.ts';
import { readAll } from './read-all.ts';

const options = {
  tenant: tenantOption,
  scopes: { type: 'string', about: 'comma-separated; all, or agent:self with --agent' },
  tier: { type: 'string', default: 'standard', about: tiers.join(', ') },
  agent: { type: 'string', about: 'id of the agent that the key acts as' },
  expires: { type: 'string', about: 'date or time, such as 2030-01-31' },
} as const;

export const createKeyCommand = defineCommand({
  usage:
    '<name> [--tenant slug] [--scopes tasks:read,tasks:write] [--tier basic|standard|enterprise] [--agent id] [--expires date]',
  about: 'creates an API key and prints it once; default scopes: all, or agent:self with --agent',
  options,
  maxWords: 1,
  async run({ values, words }, config) {
    const [given] = words;
    if (given === undefined) throw new StartError('A name is required. Pass it as the first argument.');
    const name = readName(given);
    const agentId = values.agent ?? null;
    const input = {
      name,
      scopes: readScopes(values.scopes, agentId === null ? scopes : ['agent:self']),
      tier: readTier(values.tier),
      agentId,
      expiresAt: readExpiry(values.expires),
    };
    say(`api key ${await inTenant(config, values.tenant, (ctx) => makeKey(ctx, input))}`);
  },
});

const listOptions = { tenant: tenantOption, json: jsonOption } as const;

export const listKeysCommand = defineCommand({
  usage: '[--tenant slug] [--json]',
  about: 'lists the API keys of a tenant, the oldest first, without their secrets',
  options: listOptions,
  async run({ values }, config) {
    const columns = ['id', 'name', 'prefix', 'last_four', 'status', 'tier', 'created_at', 'last_used_at'];
    const keys = await inTenant(config, values.tenant, (ctx) => readAll((page) => listApiKeys(ctx, {}, page)));
    printRows(keys, { columns, json: values.json });
  },
});

const revokeOptions = { tenant: tenantOption } as const;

export const revokeKeyCommand = defineCommand({
  usage: '<key id> [--tenant slug]',
  about: 'revokes an API key for good; it stops within two seconds',
  options: revokeOptions,
  maxWords: 1,
  async run({ values, words }, config) {
    const [id] = words;
    if (!id) throw new StartError('The id of a key is required. key:list shows the ids.');
    await inTenant(config, values.tenant, (ctx) => revokeApiKey(ctx, { id, ifMatch: undefined }).catch(unknownKey(id)));
    say(`revoked ${id}`);
  },
});

const unknownKey = (id: string) => (error: unknown) => {
  throw error instanceof AppError && error.code === 'not_found' ? new StartError(`Unknown key: ${id}.`) : error;
};

/** The text of a new key; its agent, if any, must be there. */
function makeKey(ctx: UseCaseContext, input: CreateApiKeyInput): Promise<string> {
  const { agentId = null } = input;
  return ctx.inTransaction(async (tx) => {
    if (agentId !== null && !(await lockAssignable(tx, agentId))) throw new StartError(`Unknown agent: ${agentId}.`);
    return (await createApiKey(contextInTransaction(ctx, tx), input)).key;
  });
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = parseTimestamp(text);
  if (!date || date <= new Date()) throw new StartError(`--expires must be a date in the future, such as 2030-01-31.`);
  return date;
}

function readScopes(text: string | undefined, unless: readonly Scope[]): readonly Scope[] {
  if (text === undefined) return unless;
  return text.split(',').map((word) => {
    const scope = scopes.find((known) => known === word.trim());
    if (!scope) throw new StartError(`Unknown scope: ${word.trim()}. Scopes: ${scopes.join(', ')}.`);
    return scope;
  });
}

function readTier(text: string): Tier {
  const tier = tiers.find((known) => known === text);
  if (!tier) throw new StartError(`Unknown tier: ${text}. Tiers: ${tiers.join(', ')}.`);
  return tier;
}
