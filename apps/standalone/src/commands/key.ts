import { parseArgs } from 'node:util';
import { createApiKey, type CreateApiKeyInput } from '@eas/access';
import { parseTimestamp, type Scope, scopes, type Tier, tiers } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { lockAssignable } from '@eas/tasks';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { withContext } from '../preparation/seed.ts';
import { StartError } from '@eas/core';
import { createTerminalLogger, say } from '../terminal.ts';
import type { Command } from './command.ts';
import { tenantContext } from './tenant-context.ts';
import { withDatabase } from './with-database.ts';

const options = {
  tenant: { type: 'string', default: 'default' },
  scopes: { type: 'string' },
  tier: { type: 'string', default: 'standard' },
  agent: { type: 'string' },
  expires: { type: 'string' },
} as const;

export const createKeyCommand: Command = {
  usage:
    '<name> [--tenant slug] [--scopes tasks:read,tasks:write] [--tier basic|standard|enterprise] [--agent id] [--expires date]',
  about: 'creates an API key and prints it once; default scopes: all, or agent:self with --agent',
  async run(args, config) {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const name = positionals[0];
    if (!name) throw new StartError('A name is required. Pass it as the first argument.');
    const agentId = values.agent ?? null;
    const input = {
      name,
      scopes: readScopes(values.scopes, agentId === null ? scopes : ['agent:self']),
      tier: readTier(values.tier),
      agentId,
      expiresAt: readExpiry(values.expires),
    };
    const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false) };
    await withDatabase(config, (databaseUrl) =>
      withContext({ ...parts, databaseUrl }, async (contextOf) => {
        const ctx = await tenantContext(contextOf, values.tenant);
        say(`api key ${await makeKey(ctx, input)}`);
      }),
    );
  },
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
