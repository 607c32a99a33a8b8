import type { BenchAgent } from '../harness/work-task.ts';
import { runInChild } from '../harness/child-task.ts';

/** What an honest tenant does: each act so many times a second together, at fixed times, whatever the answers take. */
export type HonestLoad = {
  url: string;
  apiKey: string;
  /** Each holds one task at a time. */
  agents: readonly BenchAgent[];
  role: string;
  platformSecret: string;
  perSecond: number;
  seconds: number;
};

export type HonestResult = {
  /** Times from the moment at which a request was due to its response, in ms. */
  timesMs: number[];
  /** What was not answered as an honest client expects. */
  errors: Record<string, number>;
};

export const runHonestLoad = (load: HonestLoad): Promise<HonestResult> =>
  runInChild('../abuse/honest-load-generator.ts', load);
