import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { environment } from './key/env.ts';
import { hideKeys, withHandedKeys } from './key/hide-key.ts';

// The reader of the output may have closed it.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
hideKeys(environment(), process.connected);
const env = withHandedKeys(environment());
// A process that replaces itself by another loads nothing before.
const { runCli } = await import('./cli/run-cli.ts');
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
process.exitCode = await runCli(process.argv.slice(2), version, {
  env,
  write: (part) => void process.stdout.write(part),
  writeErr: (part) => void process.stderr.write(part),
  isTerminal: process.stdin.isTTY && process.stdout.isTTY,
  readInput: () => text(process.stdin),
});
