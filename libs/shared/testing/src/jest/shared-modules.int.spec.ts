import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../../../..');
const folder = mkdtempSync(join(tmpdir(), 'eas-jest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const endedFile = join(folder, 'ended');

const config = {
  rootDir: folder,
  maxWorkers: 1,
  workerIdleMemoryLimit: '2GB',
  runtime: join(import.meta.dirname, 'shared-modules-runtime.ts'),
  testEnvironment: join(import.meta.dirname, 'shared-environment.ts'),
  testEnvironmentOptions: { suiteLimitMs: 120_000 },
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.spec.ts'],
};

/** Runs in the order of their names: Jest takes the largest first. */
const files = {
  'counted.ts': `
    import { beforeEach } from '@jest/globals';
    let loaded = 0;
    export const use = () => {
      let ran = 0;
      beforeEach(() => void (ran += 1));
      loaded += 1;
      return { loaded, ran: () => ran };
    };`,
  'a-first.spec.ts': `
    import { expect, it } from '@jest/globals';
    import { use } from './counted.ts';
    const { loaded, ran } = use();
    it('is the first', () => { process.env.LEFT_BEHIND = 'yes'; expect([loaded, ran()]).toEqual([1, 1]); });
    ${'//'.padEnd(400, ' ')}x`,
  'b-second.spec.ts': `
    import { expect, it } from '@jest/globals';
    import { use } from './counted.ts';
    const { loaded, ran } = use();
    it('shares what the first has loaded', () => expect([loaded, ran()]).toEqual([2, 1]));
    it('has its own hooks', () => expect(ran()).toBe(2));
    it('finds the environment as it was', () => expect(process.env.LEFT_BEHIND).toBeUndefined());`,
  // Its test begins within the limit also on a busy machine, and it spins without taking the processor from others.
  'c-spins.spec.ts': `/** @jest-environment-options {"suiteLimitMs": 10000} */
    import { it } from '@jest/globals';
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const spin = () => { for (let turn = 0; turn >= 0; turn += 1) Atomics.wait(cell, 0, 0, 20); };
    it('never gives the event loop back', () => spin());`,
  'c-takes-long.spec.ts': `/** @jest-environment-options {"suiteLimitMs": 10000} */
    import { it } from '@jest/globals';
    it.each([1, 2, 3])('waits %s', () => new Promise((resolve) => setTimeout(resolve, 4000)));`,
  // Into a file: what a worker prints last may be lost with it.
  'closing.ts': `
    import { writeFileSync } from 'node:fs';
    import { afterAllOthers } from '${join(import.meta.dirname, '../suite-globals.ts')}';
    export function open(ended) {
      afterAllOthers(() => writeFileSync('${endedFile}', ended.join(', ')));
      afterAllOthers(() => void ended.push('what was opened second'));
    }`,
  'd-closes.spec.ts': `
    import { afterAll, it } from '@jest/globals';
    import { open } from './closing.ts';
    const ended = [];
    open(ended);
    afterAll(() => void ended.push('what the file made with it'));
    it('uses it', () => {});`,
  'd-last.spec.ts': `
    import { it } from '@jest/globals';
    it('goes on', () => {});`,
};

let output = '';
let results: Record<string, string>;

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--disable-warning=ExperimentalWarning', jest, '--config', join(folder, 'jest.config.json'), '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  output = stderr;
  const { testResults } = JSON.parse(stdout) as { testResults: { name: string; status: string }[] };
  results = Object.fromEntries(testResults.map(({ name, status }) => [name.replace(`${folder}/`, ''), status]));
});

it('files share what they import, and have hooks and an environment of their own', () => {
  expect(results).toMatchObject({ 'a-first.spec.ts': 'passed', 'b-second.spec.ts': 'passed' });
});

it('a file that never ends is ended with its name, the test and its code, and the others go on', () => {
  expect(results).toMatchObject({ 'c-spins.spec.ts': 'failed', 'd-last.spec.ts': 'passed' });
  expect(output).toContain(
    `c-spins.spec.ts has passed no test for 10 s and is ended, in "never gives the event loop back".`,
  );
  expect(output).toMatch(/at spin \(.*c-spins\.spec\.ts/);
});

it('a file that takes longer than its limit goes on while its tests pass', () => {
  expect(results).toMatchObject({ 'c-takes-long.spec.ts': 'passed' });
});

it('what helpers opened for a file closes after all that the file ends itself, the last one first', () => {
  expect(results).toMatchObject({ 'd-closes.spec.ts': 'passed' });
  expect(readFileSync(endedFile, 'utf8')).toBe('what the file made with it, what was opened second');
});
