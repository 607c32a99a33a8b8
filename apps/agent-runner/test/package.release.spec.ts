// The package as npm publishes it, installed outside of the repository and run by the oldest Node.js that it promises.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'vite';
import { useRunners } from './runners.ts';

const run = promisify(execFile);
const packageRoot = resolve(import.meta.dirname, '..');
const oldestNode = '20.12.2';
const maxBytes = 15 * 1024 ** 2;

const { baseUrl, apiKey, addTask, untilTask } = useRunners();
let home = '';

const env = () => ({ PATH: process.env['PATH'], HOME: home, EAS_KEYS: 'file' });
const startEas = (...args: string[]) => {
  const node = join(home, 'node_modules', '.bin', 'node');
  const main = join(home, 'node_modules', '@engineering-agent-service', 'eas', 'dist', 'eas.js');
  return run(node, [main, ...args], { cwd: home, env: env() });
};
const eas = async (...args: string[]): Promise<string> => (await startEas(...args)).stdout.trim();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'eas-package-'));
  await build({
    root: packageRoot,
    configFile: join(packageRoot, 'vite.config.ts'),
    configLoader: 'native',
    logLevel: 'error',
  });
  // Where the registry is, npm knows from the environment.
  const npm = (...args: string[]) => run('npm', args, { cwd: home });
  await npm('pack', '--ignore-scripts', packageRoot);
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const file = join(home, `engineering-agent-service-eas-${version}.tgz`);
  expect(statSync(file).size).toBeLessThan(maxBytes);
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true }));
  await npm('install', '--no-audit', '--no-fund', file, `node-linux-${process.arch}@${oldestNode}`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the package eas', () => {
  it('is small, and runs on the oldest Node.js that it promises', async () => {
    const { stdout } = await run('du', ['-sk', join(home, 'node_modules', '@engineering-agent-service')]);
    expect(Number(stdout.split('\t')[0]) * 1024).toBeLessThan(maxBytes);
    expect(await eas('--version')).toBe('0.1.0');
    expect(await eas('complete', '--', 'task', '')).toContain('watch');
  });

  it('logs in, and works on a task with a key of its agent', async () => {
    writeFileSync(join(home, 'key'), apiKey());
    expect(await eas('login', baseUrl(), '--key-file', 'key')).toContain('Logged in');
    const task = await addTask('packed');
    const working = startEas('agent', 'start', '--role', 'packed', '--exec', 'echo "$SAY summary Done."');
    await untilTask(task.id, ({ status }) => status === 'completed');
    expect(await eas('task', 'watch', task.id)).toContain('→ completed');
    const keys = JSON.parse(readFileSync(join(home, '.config', 'eas', 'keys.json'), 'utf8')) as Record<string, string>;
    expect(Object.keys(keys)).toEqual([baseUrl(), expect.stringMatching(/ agt_\w+$/)]);
    working.child.kill();
    expect((await working).stderr).toContain('stopped');
  });
});
