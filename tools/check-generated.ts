// Generated files are committed; this makes them again and fails when that changes them (the new text stays, ready to commit).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GENERATED } from './generated-files.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string | undefined => {
  const path = resolve(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

let problems = 0;
for (const { command, files } of GENERATED) {
  const before = files.map(read);
  const [script = '', ...args] = command;
  const result = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (result.status !== 0) {
    console.error(`${command.join(' ')} failed`);
    problems += 1;
    continue;
  }
  for (const [index, file] of files.entries()) {
    const after = read(file);
    if (after !== undefined && after === before[index]) continue;
    const state = after === undefined ? 'was not made' : 'was not current and is written again: commit it';
    console.error(`${file} ${state} (node ${command.join(' ')})`);
    problems += 1;
  }
}
console.log(`${GENERATED.flatMap(({ files }) => files).length} generated files, ${problems} not current`);
process.exitCode = problems === 0 ? 0 : 1;
