import type { ChildProcess } from 'node:child_process';
import { nextMessage, startChild } from '../../harness/child-task.ts';
import type { BenchAgent } from '../../harness/work-task.ts';
import type { PlatformIntegration } from '../../inbound/platform-integration.ts';

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

/** An id that a client was given, and the name that it had chosen. */
export type Made = { id: string; name: string };

/** A lease that an agent was given. `answeredAt` and `sentAt` are ms of one clock, that of the clients. */
type Claim = { leaseId: string; taskId: string; agentId: string; token: number; answeredAt: number };

/** A call under the lease with the token; `sentAt`: for the first time. */
type Report = { taskId: string; token: number; sentAt: number };

/** A milestone that an agent reported; its name is its own. */
type Progress = Report & { milestone: string };

/** A task that an agent completed, with texts of its own in summary and result. */
type Completion = Report & { agentId: string; summary: string; mark: string };

/** The number of requests, and of those without the expected response. */
export type Counts = {
  requests: number;
  completions: number;
  /** Requests without a response, and responses with 5xx, by what they were. */
  errors: Record<string, number>;
  /** Responses with 4xx: of agents that lost their lease, for one. */
  refusals: Record<string, number>;
  /** Requests that were given up. Their result is unknown. */
  givenUp: number;
};

/** Every change that was acknowledged with 2xx. */
export type Journal = {
  tasks: Made[];
  runs: Made[];
  /** Ids of the platform's tasks whose webhooks were acknowledged. */
  receipts: string[];
  claims: Claim[];
  progress: Progress[];
  completions: Completion[];
};

export type MixedLoad = {
  counts(): Promise<Counts>;
  /** What was recorded until now. */
  journal(): Promise<Journal>;
  /** Nothing new is made any more; agents go on. */
  stopMaking(): void;
  end(): void;
};

export function startMixedLoad(task: MixedLoadTask): MixedLoad {
  const child: ChildProcess = startChild('../failures/clients/mixed-load-generator.ts', task);
  const ask = <Reply>(what: 'counts' | 'journal') => {
    child.send(what);
    return nextMessage<Reply>(child);
  };
  return {
    counts: () => ask<Counts>('counts'),
    journal: () => ask<Journal>('journal'),
    stopMaking: () => void child.send('stop'),
    end: () => void child.kill(),
  };
}
