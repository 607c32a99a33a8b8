import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BenchAgent } from './work-task.ts';

/**
 * Agents at work, each on a connection of its own. `cycles`: each creates a task, claims one and completes it, for so
 * many seconds. `drain`: each claims and completes until all `tasks` are done, at most `perSecond` claims a second together.
 */
export type AgentLoad = {
  url: string;
  apiKey: string;
  role: string;
  agents: readonly BenchAgent[];
  work: { kind: 'cycles'; seconds: number } | { kind: 'drain'; tasks: number; perSecond?: number };
};

export type Quantiles = { p50Ms: number; p99Ms: number };

export type AgentLoadResult = {
  seconds: number;
  completed: number;
  /** Tasks that were handed out more than once. */
  doubles: number;
  /** Claims that gave no task. */
  empty: number;
  errors: Record<string, number>;
  create: Quantiles;
  claim: Quantiles;
  complete: Quantiles;
};

/** Runs the agents from a process of their own. */
export function runAgentLoad(load: AgentLoad): Promise<AgentLoadResult> {
  return new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, 'agent-load-generator.ts');
    const child = fork(file, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    let result: AgentLoadResult | undefined;
    child.once('message', (message) => (result = message as AgentLoadResult));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`the agents ended with exit code ${code}`));
    });
    child.send(load);
  });
}
