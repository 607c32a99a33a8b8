// What every suite of the contract tests gets and gives.
import { isCi } from '@eas/testing/programs';
import type { Counts } from '../npm-test/test-plan.ts';

export type Target = {
  baseUrl: string;
  apiKey: string;
  documentFile: string;
  /** The suite's own folder, empty at the start. What is written there stays for the analysis of a failure. */
  folder: string;
  /** Settings of the system that a client has to know: OAuth client, first admin. */
  env: Readonly<Record<string, string>>;
};

export type Suite = {
  name: string;
  what: string;
  /** Repeats the checks of another suite, or takes minutes: run with `--all` or by its name. */
  isForReleases?: boolean;
  /** Has a stage of its own before a release: run by its name alone. */
  isOwnStage?: boolean;
  run(target: Target): Promise<Counts>;
};

/** One check that passed or failed; details of failures are printed. */
export function oneCheck(isMet: boolean, output: string): Counts {
  if (!isMet) process.stdout.write(`${output.trim()}\n`);
  return { passed: isMet ? 1 : 0, failed: isMet ? 0 : 1, skipped: 0 };
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** A program is missing on the machine: a warning outside CI, a failure inside. */
export function missing(program: string): Counts {
  return { ...notRun(`${program} is not on PATH`), failed: isCi ? 1 : 0 };
}

/** A warning, not a failure: the suite needs something that a machine may lack. */
export function notRun(reason: string): Counts {
  const line = `${reason}: THIS SUITE WAS NOT RUN`;
  process.stdout.write(`${'!'.repeat(line.length + 8)}\n!!! ${line} !!!\n${'!'.repeat(line.length + 8)}\n`);
  return { passed: 0, failed: 0, skipped: 1 };
}
