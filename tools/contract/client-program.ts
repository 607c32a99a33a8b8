// Programs of tools/contract/client are written as a third party would: against the document, without this repository.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from '../npm-test/test-plan.ts';
import { contractFolder, runTool } from '../foreign/run-tool.ts';
import { type Target } from './suite.ts';

/** Runs a program of the client folder by Node's own test runner and gives what that counted. */
export async function runClientProgram(
  file: string,
  { baseUrl, apiKey, folder, env }: Target,
  timeoutMs = 120_000,
): Promise<Counts> {
  const tapFile = join(folder, 'report.tap');
  const reporters = [
    ['spec', 'stdout'],
    ['tap', tapFile],
  ].flatMap(([name, destination]) => [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`]);
  const { code, output } = await runTool(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--test', ...reporters, join(contractFolder, 'client', file)],
    {
      env: { ...env, CONTRACT_BASE_URL: baseUrl, CONTRACT_API_KEY: apiKey, CONTRACT_FOLDER: folder },
      timeoutMs,
    },
  );
  const counts = existsSync(tapFile) ? countsOfTap(readFileSync(tapFile, 'utf8')) : undefined;
  if (code !== 0 || !counts) process.stdout.write(`${output.trim()}\n`);
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  return { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed };
}

/** The figures at the end of a TAP report; undefined when it ends before them. */
export function countsOfTap(report: string): Counts | undefined {
  const figure = (name: string): number | undefined => {
    const found = [...report.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const passed = figure('pass');
  const failed = figure('fail');
  const cancelled = figure('cancelled');
  if (passed === undefined || failed === undefined || cancelled === undefined) return undefined;
  return { passed, failed: failed + cancelled, skipped: (figure('skipped') ?? 0) + (figure('todo') ?? 0) };
}
