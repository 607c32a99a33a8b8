import tab from '@bomb.sh/tab/commander';
import { Command, InvalidArgumentError } from 'commander';
import { addAgent } from './commands/agent.ts';
import { addInbox } from './commands/inbox.ts';
import { addLogin } from './commands/login.ts';
import { addRuns } from './commands/runs.ts';
import { addTasks } from './commands/tasks.ts';
import type { World } from './context.ts';

/** All commands of `eas`. */
export function createProgram(version: string, world: World): Command {
  const program = new Command('eas')
    .description('Agents that work, and what people do for them.')
    .version(version)
    .option('--url <url>', 'address of the service (default: BASE_URL, the last login, or the one on this machine)')
    .option('--key-file <file>', 'file that contains the API key')
    .option('--key-fd <n>', 'open file descriptor to read the API key from; 0 is standard input', descriptor)
    .option('--json', 'responses as JSON')
    .showHelpAfterError('Run with --help for what there is.')
    .exitOverride()
    .configureOutput({ writeOut: world.write, writeErr: world.writeErr })
    .addHelpText('after', exitCodesText);
  for (const add of [addLogin, addAgent, addTasks, addInbox, addRuns]) add(program, world);
  tab(program);
  return program;
}

function descriptor(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new InvalidArgumentError('expected 0 to 255.');
}

const exitCodesText = `
The API key is read from a file, a descriptor, API_KEY or what eas login kept, never from the command line.

Exit codes: 0 it worked, 1 it failed, 2 wrong usage, 3 no key or not allowed, 4 not found, 5 conflict,
            6 the service cannot be reached, 7 the watched task was not completed`;
