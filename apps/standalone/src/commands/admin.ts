import { linkPath, listUsers, makeFirstAdminLink, makePasswordLink } from '@eas/access';
import { pageOf, scopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { knownBaseUrl } from '../data-folder/base-url.ts';
import { StartError } from '@eas/core';
import { say } from '../terminal.ts';
import { defineCommand, tenantOption } from './command.ts';
import { inTenant } from './in-system.ts';

const options = {
  email: { type: 'string', about: 'address of the user whose password is to be set' },
  tenant: tenantOption,
} as const;

export const adminLinkCommand = defineCommand({
  usage: '[--email address] [--tenant slug]',
  about: "prints a one-time link, valid for 24 hours, to create the first administrator or to set a user's password",
  options,
  async run({ values }, config) {
    const token = await inTenant(config, values.tenant, (ctx) =>
      values.email === undefined ? firstAdminToken(ctx) : userToken(ctx, values.email),
    );
    say(`admin ${knownBaseUrl(config)}${linkPath(token)}`);
  },
});

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
