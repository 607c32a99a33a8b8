import { parseArgs } from 'node:util';
import { linkPath, listUsers, makeFirstAdminLink, makePasswordLink } from '@eas/access';
import { pageOf, scopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { knownBaseUrl } from '../data-folder/base-url.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { withContext } from '../preparation/seed.ts';
import { StartError } from '@eas/core';
import { createTerminalLogger, say } from '../terminal.ts';
import type { Command } from './command.ts';
import { tenantContext } from './tenant-context.ts';
import { withDatabase } from './with-database.ts';

const options = { email: { type: 'string' }, tenant: { type: 'string', default: 'default' } } as const;

export const adminLinkCommand: Command = {
  usage: '[--email address] [--tenant slug]',
  about: "prints a one-time link, valid for 24 hours, to create the first administrator or to set a user's password",
  async run(args, config) {
    const { values } = parseArgs({ args, options });
    const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false) };
    await withDatabase(config, (databaseUrl) =>
      withContext({ ...parts, databaseUrl }, async (contextOf) => {
        const ctx = await tenantContext(contextOf, values.tenant);
        const token = values.email === undefined ? await firstAdminToken(ctx) : await userToken(ctx, values.email);
        say(`admin ${knownBaseUrl(config)}${linkPath(token)}`);
      }),
    );
  },
};

async function firstAdminToken(ctx: UseCaseContext): Promise<string> {
  const token = await makeFirstAdminLink(ctx);
  if (!token) throw new StartError('An administrator already exists. Use --email to set a new password.');
  return token;
}

async function userToken(ctx: UseCaseContext, email: string): Promise<string> {
  const { items } = await listUsers(ctx, { email: email.toLowerCase() }, pageOf({ limit: 1 }));
  const [user] = items;
  if (!user) throw new StartError(`Unknown user: ${email}.`);
  return makePasswordLink(ctx, { id: user.id, scopes });
}
