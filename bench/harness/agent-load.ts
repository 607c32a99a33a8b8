import { runInChild } from './child-task.ts';
import type { BenchAgent } from './work-task.ts';

/**
 * Agents at work, each on a connection of its own. `cycles`: each creates a task, claims one and completes it, for
 * `seconds`. `drain`: each claims and completes until all `tasks` are done, `perSecond` claims a second
 * together. `wait`: each claims for `seconds`, and gets nothing.
 */
export type AgentLoad = {
  url: string;
  apiKey: string;
  role: string;
  agents: readonly BenchAgent[];
  work:
    | { kind: 'cycles'; seconds: number }
    | { kind: 'drain'; tasks: number; perSecond?: number }
    | { kind: 'wait'; seconds: number };
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

export const runAgentLoad = (load: AgentLoad): Promise<AgentLoadResult> => runInChild('agent-load-generator.ts', load);
