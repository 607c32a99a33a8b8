import type { ChildProcess } from 'node:child_process';
import { nextMessage, startChild } from '../harness/child-task.ts';
import type { BenchAgent } from '../harness/work-task.ts';
import type { PlatformIntegration } from '../inbound/platform-integration.ts';

/** What clients of all kinds do at once: `perSecond` requests that change or read something, and agents that work. */
export type MixedLoadTask = {
  gateways: readonly string[];
  receivers: readonly string[];
  apiKey: string;
  agents: readonly BenchAgent[];
  integration: PlatformIntegration;
  workflowId: string;
  perSecond: number;
};

/** An id that a client was told, and the name that it had given. */
export type Made = { id: string; name: string };

/** Everything that clients were told with 2xx, and how often they were told otherwise. */
export type Journal = {
  tasks: Made[];
  runs: Made[];
  /** Ids of the platform's tasks whose webhooks were acknowledged. */
  receipts: string[];
  completions: { taskId: string; agentId: string }[];
  requests: number;
  /** Requests without a response, and responses with 5xx, by what they were. */
  errors: Record<string, number>;
  /** Responses with 4xx: of agents that lost their lease, for one. */
  refusals: Record<string, number>;
  /** Requests that were given up. Nobody knows what became of them. */
  givenUp: number;
};

export type MixedLoad = {
  /** What was recorded until now. */
  journal(): Promise<Journal>;
  /** Nothing new is made any more; agents go on. */
  stopMaking(): void;
  end(): void;
};

export function startMixedLoad(task: MixedLoadTask): MixedLoad {
  const child: ChildProcess = startChild('../failures/mixed-load-generator.ts', task);
  return {
    journal: () => {
      child.send('journal');
      return nextMessage<Journal>(child);
    },
    stopMaking: () => void child.send('stop'),
    end: () => void child.kill(),
  };
}
