import { commands, listCommands } from './commands.ts';
import { runCommand } from './run-command.ts';

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = await run();

async function run(): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return runCommand(name, command, args);
  const isHelp = name === '' || name === '--help' || name === '-h';
  if (!isHelp) process.stderr.write(`Unknown command: ${name}.\n`);
  process.stderr.write(`Usage: npm run cmd -- <command> … (--help shows its options)\n\nCommands:\n${listCommands()}`);
  return isHelp ? 0 : 1;
}
