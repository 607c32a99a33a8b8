// `node start-app.ts <app>`, in the image or without a container: becomes the app, with the flags of Node that the supervisor uses.
import { resolve } from 'node:path';
import process from 'node:process';
import { nodeFlags } from '../../libs/shared/runtime/src/node-flags.ts';
import { isSet } from '../../libs/shared/runtime/src/settings/setting-files.ts';
import { commandsFile, programs } from './programs.ts';

const root = resolve(import.meta.dirname, '../..');
const [name = '', ...args] = process.argv.slice(2);
const [file, ...first] = programs[name] ?? [];
const isCommand = file === commandsFile && [...first, ...args].length > 0;
if (!file) {
  refuse(`${name === '' ? 'The name of an app is missing' : `Unknown app: ${name}`}. Known: ${Object.keys(programs)}.`);
} else if (isCommand && !isSet(process.env, 'DATABASE_URL')) {
  refuse(`${name}: Invalid setting: DATABASE_URL (expected a value: URL of Postgres).`);
} else if (!process.execve) {
  refuse(`${name}: Linux or macOS is needed.`);
} else {
  process.chdir(root);
  // Hides warnings of Node, not output of the app.
  process.removeAllListeners('warning');
  process.execve(process.execPath, [process.execPath, ...nodeFlags, file, ...first, ...args], process.env);
}

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
