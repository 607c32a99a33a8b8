// Usage: make-tenants <slug> … Makes tenants, each with a key that has every scope, by the commands for them, but in one
// process. Prints the keys, in the order of the tenants.
import { commands } from '../src/commands/commands.ts';
import { runCommand } from '../src/commands/run-command.ts';

async function run(name: string, args: string[]): Promise<void> {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  if ((await runCommand(name, command, args)) !== 0) throw new Error(`${name} ${args.join(' ')} failed`);
}

for (const slug of process.argv.slice(2)) {
  await run('tenant:create', [slug]);
  await run('key:create', ['Bootstrap key', '--tenant', slug, '--tier', 'enterprise']);
}
