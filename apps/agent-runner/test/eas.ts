import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';
import { runCli } from '../src/cli/run-cli.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');

export type EasResult = { code: number | null; output: string; stderr: string };

/** The command `eas`, with a folder of its own for what it keeps. */
export function useEas() {
  let home = '';
  beforeAll(() => void (home = mkdtempSync(join(tmpdir(), 'eas-home-'))));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const envOf = (own: Record<string, string>) => ({ PATH: process.env['PATH'], HOME: home, EAS_KEYS: 'file', ...own });

  /** As a process of its own. */
  async function easProcess(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<EasResult> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
      cwd: home,
      env: envOf(env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    child.stdin.end(input);
    const [output, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, output: output.trim(), stderr: stderr.trim() };
  }

  /** The command alone: it starts no process, and a test pays for none. */
  async function eas(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<EasResult> {
    let [output, stderr] = ['', ''];
    const code = await runCli(args, '0.0.0', {
      env: envOf({ DATA_DIR: join(home, '.data'), ...env }),
      write: (part) => void (output += part),
      writeErr: (part) => void (stderr += part),
      isTerminal: false,
      readInput: () => Promise.resolve(input),
    });
    return { code, output: output.trim(), stderr: stderr.trim() };
  }
  return { eas, easProcess, home: () => home };
}
