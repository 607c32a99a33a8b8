import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withRecorder } from './wrap-program.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'recorder-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recorder = join(import.meta.dirname, 'recorder.ts');
const agent = `read request; : > hello.txt; echo Welcome; echo hello > hello.txt; echo '{"id":0,"result":{}}'; exit 3`;

describe('the recorder', () => {
  it('passes lines on, and records messages and what the agent wrote', () => {
    const { stdout, status } = spawnSync(process.execPath, [recorder, 'recording', 'sh', '-c', agent], {
      cwd: folder,
      input: '{"id":0,"method":"initialize"}\n',
      encoding: 'utf8',
    });
    expect(stdout).toBe('Welcome\n{"id":0,"result":{}}\n');
    expect(status).toBe(3);
    const lines = readFileSync(join(folder, 'recording'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { from: 'client', message: { id: 0, method: 'initialize' } },
      { from: 'agent', file: 'hello.txt', text: 'hello\n' },
      { from: 'agent', message: { id: 0, result: {} } },
    ]);
  });

  it('is in front of a program only where there is a task', () => {
    const env = withRecorder({ PATH: process.env['PATH'] ?? '' }, 'cat', join(folder, 'bin'));
    const run = (more: Record<string, string>) =>
      execFileSync('cat', { env: { ...env, ...more }, input: '{"id":1}\n', encoding: 'utf8' });
    expect([run({}), run({ TASK_DIR: folder })]).toEqual(['{"id":1}\n', '{"id":1}\n']);
    const recorded = readFileSync(join(folder, 'spoken.jsonl'), 'utf8').trim().split('\n');
    expect(recorded).toHaveLength(2);
  });
});
