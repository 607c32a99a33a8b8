// Every command of README.md and docs/guide runs and prints what the page shows, in each common shell.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someOf } from '@eas/testing';
import { findFreePorts, type OwnSystem } from '@eas/testing/own-system';
import { startWatchedSystem } from '@eas/testing/watched-system';
import { findOnPath, isCi, leftOut } from '@eas/testing/programs';
import { runPage, type Substitutions } from './run-page.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: root }).sort()];
/** Outside of CI a shell that the machine lacks is left out, and all of them without the programs that commands need. */
const lacking = ['bash', 'curl', 'git', 'jq', 'openssl', 'npm', 'python3'].find((program) => !findOnPath(program));
const notRun = leftOut(lacking ?? '', lacking === undefined);
const shells = ['bash', 'zsh'].filter((shell) => shell === 'bash' || isCi || findOnPath(shell));

const dataDir = mkdtempSync(join(tmpdir(), 'eas-guide-data-'));
let system: OwnSystem;
let substitutions: Substitutions;

beforeAll(async () => {
  if (notRun) return;
  system = await startWatchedSystem(process.env, { DATA_DIR: dataDir, WEBHOOK_RETRY_SCHEDULE: '1,2,5,10' });
  writeFileSync(join(dataDir, 'first-api-key'), system.apiKey);
  // The port goes first: the others bring digits of their own.
  substitutions = {
    '4790': String(await findFreePorts(1)),
    'http://127.0.0.1:3000': system.baseUrl,
    '.data/': `${dataDir}/`,
    '127.0.0.1:3002': `127.0.0.1:${Number(new URL(system.baseUrl).port) + 2}`,
  };
});
afterAll(async () => {
  await system?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Each page in one shell, in others by turns; before a release in all of them. */
const pasted = pages.flatMap((page) => someOf(shells, 1).map((shell) => [page, shell] as const));

(notRun ? describe.skip : describe)(`the guide${notRun}`, () => {
  it.each(pasted)('%s does what it says in %s', async (page, shell) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir(), DATA_DIR: dataDir };
    expect(await runPage(page, { shell, substitutions, env })).toEqual([]);
  });
});
