import { parseArgs } from 'node:util';
import { createApiKey } from '@eas/access';
import { type Scope, scopes, type Tier, tiers } from '@eas/contracts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { withContext } from '../preparation/seed.ts';
import { StartError } from '../start-error.ts';
import { createTerminalLogger, say } from '../terminal.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

const options = {
  tenant: { type: 'string', default: 'default' },
  scopes: { type: 'string' },
  tier: { type: 'string', default: 'standard' },
} as const;

export const createKeyCommand: Command = {
  usage: '<name> [--tenant slug] [--scopes tasks:read,tasks:write] [--tier basic|standard|enterprise]',
  about: 'makes an API key (every scope unless some are named) and prints it once',
  async run(args, config) {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const name = positionals[0];
    if (!name) throw new StartError('A key needs a name.');
    const input = { name, scopes: readScopes(values.scopes), tier: readTier(values.tier) };
    const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false) };
    await withDatabase(config, (databaseUrl) =>
      withContext({ ...parts, databaseUrl }, async (contextOf) => {
        const [tenant] = await contextOf().db.query<{ id: string }>('SELECT id FROM tenants WHERE slug = $1', [
          values.tenant,
        ]);
        if (!tenant) throw new StartError(`There is no tenant ${values.tenant}.`);
        const made = await createApiKey(contextOf(tenant.id), input);
        say(`api key ${made.key}`);
      }),
    );
  },
};

function readScopes(text: string | undefined): Scope[] {
  if (text === undefined) return [...scopes];
  return text.split(',').map((word) => {
    const scope = scopes.find((known) => known === word.trim());
    if (!scope) throw new StartError(`There is no scope ${word.trim()}; scopes are ${scopes.join(', ')}.`);
    return scope;
  });
}

function readTier(text: string): Tier {
  const tier = tiers.find((known) => known === text);
  if (!tier) throw new StartError(`There is no tier ${text}; tiers are ${tiers.join(', ')}.`);
  return tier;
}
