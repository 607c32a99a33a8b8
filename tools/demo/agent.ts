import { setTimeout as sleep } from 'node:timers/promises';
import { agentResource, claimResult, leaseResult } from '@eas/contracts';
import { z } from 'zod';
import type { Api } from './api.ts';
import { broughtFor } from './contract.ts';

/** What an agent did with one task, by performance.now(). */
export type Work = { taskId: string; title: string; agentId: string; claimedAt: number; completedAt: number };

export type ScriptedAgent = { id: string; name: string; role: string; done: readonly Work[]; stop(): Promise<void> };

export type AgentScript = {
  name: string;
  role: string;
  capabilities: string[];
  scores: { code_quality?: number; requirements_clarity?: number };
};

const waitSeconds = 10;
/** The work itself, between two reports. */
const workMs = 15;

export async function startAgent(api: Api, script: AgentScript): Promise<ScriptedAgent> {
  const { name, role, capabilities } = script;
  const agent = await api.post('/v1/agents', { name, role, capabilities }, agentResource);
  if (!agent) throw new Error('no agent was made');
  const done: Work[] = [];
  const stopping = new AbortController();
  let failure: Error | undefined;

  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      const work = await workOnce(api, agent!.id, script, stopping.signal);
      if (work) done.push(work);
    }
  }

  const life = live().catch((error: unknown) => {
    if (!stopping.signal.aborted) failure = error instanceof Error ? error : new Error(String(error));
  });
  return {
    id: agent.id,
    name,
    role,
    done,
    async stop() {
      stopping.abort();
      await life;
      if (failure) throw failure;
    },
  };
}

/** Claims one task and brings it to its end; undefined when there was none for a while. */
async function workOnce(api: Api, id: string, script: AgentScript, signal: AbortSignal): Promise<Work | undefined> {
  const claimed = await api.post(`/v1/agents/${id}/claims`, { wait_seconds: waitSeconds }, claimResult, signal);
  if (!claimed) return undefined;
  const claimedAt = performance.now();
  const { lease_id: leaseId, fencing_token: token } = claimed.lease;
  const underLease = (verb: string, body: object, schema: z.ZodType = leaseResult) =>
    api.post(`/v1/leases/${leaseId}/${verb}`, { fencing_token: token, ...body }, schema);
  const milestones = (written: boolean, tested: boolean) => [
    { name: 'written', completed: written },
    { name: 'tested', completed: tested },
  ];
  await underLease('progress', {
    percent_complete: 30,
    estimate_remaining: '1h',
    milestones: milestones(false, false),
  });
  await sleep(workMs);
  await underLease('heartbeat', {});
  await underLease('progress', {
    percent_complete: 80,
    milestones: milestones(true, false),
    comment: 'Tests are next.',
  });
  await sleep(workMs);
  const { result = { branch: `demo/${claimed.task.id}` }, artifacts } = broughtFor(claimed.context.contract);
  const outcome = { summary: 'Done as described.', result, artifacts, scores: script.scores };
  await underLease('complete', outcome, z.unknown());
  return { taskId: claimed.task.id, title: claimed.task.title, agentId: id, claimedAt, completedAt: performance.now() };
}
