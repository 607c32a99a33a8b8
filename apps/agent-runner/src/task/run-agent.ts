import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse, Api } from '../api/api.ts';
import { createChange } from '../change.ts';
import { findLeftLeases, type LeftLease } from './leases/held-lease.ts';
import { resumeLease } from './leases/resume-lease.ts';
import { type Work, workOnTask, type WorkOptions, type WorkParts } from './work-on-task.ts';

export type AgentParts = Omit<WorkParts, 'onChange'> & {
  concurrency: number;
  /** IDs of the projects whose tasks alone are claimed; none: any task. */
  projects: readonly string[];
  /** Called with the number of tasks in work when it changes. */
  onRunning: (count: number) => void;
  /** Aborts when no more is to be claimed. */
  stopping: AbortSignal;
};

/** The longest that the service lets a claim wait. */
const waitSeconds = 30;
/** An agent that is paused, or full by another runner's work, asks again after that long. */
const refusedMs = 5_000;
/** What runs is resumed as soon as the service responds; what waits for a person may take days. */
const resumeMs = 1_000;
/** Commands that wait for a person take no part of the concurrency, but memory. */
const maxParked = 50;

/** Claims and works until `stopping` aborts and its work has ended. Throws a sentence when it may not claim. */
export async function runAgent(parts: AgentParts): Promise<void> {
  const { agentId, log, stopping, concurrency, onRunning, workspace } = parts;
  const inHand = new Set<Work>();
  const change = createChange();
  const onChange = change.notify;
  const canClaim = () => {
    const states = [...inHand].map((work) => work.state());
    // Work whose answer came goes before new work: without a slot it would be lost.
    if (states.includes('answered')) return false;
    const parked = states.filter((state) => state === 'parked').length;
    return states.length - parked < concurrency && parked < maxParked;
  };
  const earlier = (taskId: string) =>
    Promise.all([...inHand].filter((work) => work.taskId === taskId).map(({ done }) => done)).then(() => {});
  function begin(response: ApiResponse, left?: WorkOptions['left']): void {
    const work = workOnTask({ ...parts, onChange }, response, { after: earlier, left });
    inHand.add(work);
    onRunning(inHand.size);
    void work.done.then(() => {
      inHand.delete(work);
      onRunning(inHand.size);
      onChange();
    });
  }
  async function resume(left: LeftLease): Promise<void> {
    const resumed = await resumeLease(parts, left);
    if (!resumed && !stopping.aborted) await left.forget();
    await left.release();
    if (resumed) begin(resumed.response, { held: left.held, hasWaited: resumed.hasWaited });
  }
  const resuming = new Set<Promise<void>>();
  async function resumeLeft(): Promise<void> {
    for (const left of await findLeftLeases(workspace, agentId)) {
      const resumed = resume(left).finally(() => resuming.delete(resumed));
      resuming.add(resumed);
    }
  }
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }));

  // First: each of them may need a slot.
  await resumeLeft();
  await Promise.race([Promise.all(resuming), sleep(resumeMs, undefined, { signal: stopping }).catch(() => {})]);
  // Another runner of the agent may be killed later, and the lock of one on another host ends only after a while.
  const again = setInterval(() => void resumeLeft().catch((error: unknown) => log(String(error))), parts.checkMs * 3);
  try {
    while (!stopping.aborted) {
      if (!canClaim()) {
        await Promise.race([change.next(), stopped]);
        continue;
      }
      const claimed = await claimOnce(parts);
      if (claimed === 'later')
        await Promise.race([sleep(refusedMs, undefined, { signal: stopping }).catch(() => {}), change.next()]);
      if (typeof claimed === 'object') begin(claimed);
    }
  } finally {
    clearInterval(again);
    await Promise.all(resuming);
    if (inHand.size > 0) log(`no more claims; ${inHand.size} tasks running`);
    await Promise.all([...inHand].map(({ done }) => done));
  }
}

/** One claim, tried until the service responds: the key makes a repeated one give the same task. */
async function claimOnce({ api, agentId, projects, stopping }: AgentParts): Promise<ApiResponse | 'none' | 'later'> {
  const call = {
    method: 'POST' as const,
    path: `/v1/agents/${agentId}/claims`,
    body: { wait_seconds: waitSeconds, ...(projects.length > 0 ? { projects } : {}) },
    headers: { 'Idempotency-Key': randomUUID() },
  };
  const response = await calledOff(api(call, stopping), stopping);
  if (!response || response.status === 204) return 'none';
  if (response.status === 409) return 'later';
  if (response.error)
    throw new Error(`Claiming for ${agentId} failed with ${response.status}: ${response.error.message}`);
  return response;
}

/** Undefined when the signal ended the call. */
async function calledOff(call: ReturnType<Api>, signal: AbortSignal): Promise<ApiResponse | undefined> {
  try {
    return await call;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
