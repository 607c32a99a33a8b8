// Replaces the command `eas`: it knows two coding agents, one of which is not logged in, and records its environment.
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, what, preset] = process.argv.slice(2);
const title = (id: string) => id.toUpperCase();
const agent = (id: string, found: boolean) => ({
  preset: id,
  title: title(id),
  found,
  path: found ? `/bin/${id}` : null,
  version: process.argv.includes('--probe') && found ? '1.2.3' : null,
  problem: found ? null : `${title(id)} is not installed.`,
});

if (what === 'presets') {
  process.stdout.write(JSON.stringify([agent('gemini', true), agent('qwen', true), agent('codex', false)]));
} else {
  const keyFile = process.argv[process.argv.indexOf('--key-file') + 1] ?? '';
  const file = join(dirname(keyFile), 'seen.json');
  // A reader finds all of it.
  writeFileSync(`${file}.part`, JSON.stringify({ pid: process.pid, env: process.env }));
  renameSync(`${file}.part`, file);
  if (preset === 'qwen') {
    process.stderr.write('2026-11-27T10:00:00.000Z looking for it\nQWEN: It is not logged in.\n');
    process.exit(1);
  }
  process.send?.({ type: 'ready' });
  process.on('message', () => process.exit(0));
  process.on('disconnect', () => process.exit(0));
}
