// Usage: make-tenants <slug> … Creates tenants in one process, each with a key that has every scope and no effective rate
// limit. Prints the keys, in the order of the tenants.
import { createApiKey } from '@eas/access';
import { scopes } from '@eas/contracts';
import { commands } from '../src/commands/commands.ts';
import { inTenant } from '../src/commands/in-system.ts';
import { runCommand } from '../src/commands/run-command.ts';
import { loadConfig } from '../src/config.ts';

const command = commands['tenant:create'];
if (!command) throw new Error('there is no command tenant:create');
const key = { name: 'Bootstrap key', scopes, tier: 'enterprise', rateLimit: 1_000_000 } as const;
for (const slug of process.argv.slice(2)) {
  if ((await runCommand('tenant:create', command, [slug])) !== 0) throw new Error(`the tenant ${slug} was not made`);
  const made = await inTenant(loadConfig(), slug, (ctx) => createApiKey(ctx, key));
  process.stdout.write(`api key ${made.key}\n`);
}
