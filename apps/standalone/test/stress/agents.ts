import type { ApiResponse } from '../patient-client.ts';
import { anyOf, isActing, oneIn, pause, type StressAgent, taken, type World } from './world.ts';

type Held = { taskId: string; leaseId: string; token: number; attempt: number };

/** Claims and works until the world is over or the agent has been removed. */
export async function liveAsAgent(world: World, agent: StressAgent): Promise<void> {
  while (isActing(world)) {
    const claim = await agent.client.post(`/v1/agents/${agent.id}/claims`, { wait_seconds: 2 });
    if (claim.status === 401 || claim.status === 404) return;
    const body = taken(world, 'claim', claim);
    // 409: paused, or a claim whose response was lost still holds the slot until its lease runs out.
    if (claim.status === 409) await pause(300);
    if (!body?.lease) continue;
    world.given.push({ taskId: body.task.id, role: body.task.assigned_role, agent });
    const { lease_id: leaseId, fencing_token: token } = body.lease;
    await work(world, agent, { taskId: body.task.id, leaseId, token, attempt: body.context.attempt });
  }
}

/** What agents got that they may not do, read from what a client can see; pins move, so the database is asked about them. */
export function wronglyGiven({ given, tasks }: World): string[] {
  return given.flatMap(({ taskId, role, agent }) => {
    const known = tasks.get(taskId);
    const isOthers = role !== null && role !== agent.role && known?.pinnedTo !== agent.id;
    const missing = known?.capabilities.filter((one) => !agent.capabilities.includes(one)) ?? [];
    const wrong = (what: string) => `${what}: task ${taskId} was given to ${agent.id} (${agent.role})`;
    return [
      ...(isOthers ? [wrong(`role ${role}`)] : []),
      ...(missing.length > 0 ? [wrong(`without capability ${missing.join()}`)] : []),
    ];
  });
}

async function work(world: World, agent: StressAgent, held: Held): Promise<void> {
  const call = async (act: string, body: object = {}) =>
    taken(
      world,
      act,
      await agent.client.post(`/v1/leases/${held.leaseId}/${act}`, { fencing_token: held.token, ...body }),
    );
  const isWild = world.phase === 'wild';
  if (oneIn(4) && !(await call('progress', { percent_complete: 50, comment: 'Half way.' }))) return;
  if (oneIn(10) && !(await call('checkpoint', { data: { attempt: held.attempt } }))) return;
  if (oneIn(10) && !(await call('artifacts', { kind: 'commit', title: 'A change', sha: 'a1' }))) return;
  if (isWild && oneIn(12) && !(await askAndWait(world, call))) return;
  await end(world, agent, held, call, isWild);
}

type Call = (act: string, body?: object) => Promise<ApiResponse['body'] | undefined>;

/**
 * Asks a person and heartbeats until there is an answer; false when the lease is lost. However slow people are on a busy
 * machine: a task whose agent leaves before its answer comes waits for ten minutes.
 */
async function askAndWait(world: World, call: Call): Promise<boolean> {
  const asked = await call('inputs', { kind: 'choice', prompt: 'Which one?', options: ['a', 'b'], blocking: oneIn(2) });
  if (!asked) return false;
  while (isActing(world)) {
    const reply = await call('heartbeat');
    if (!reply) return false;
    const ids = reply.directives.map(({ id }: { id: string }) => id);
    const isAnswered = reply.directives.some((one: ApiResponse['body']) => one.input_id === asked.input.id);
    if (ids.length > 0 && !(await call('acknowledge', { directive_ids: ids }))) return false;
    if (isAnswered) return true;
    await pause(500);
  }
  return false;
}

async function end(world: World, agent: StressAgent, held: Held, call: Call, isWild: boolean): Promise<void> {
  const drawn = isWild ? Math.random() : 1;
  if (drawn < 0.06) return void (await call('fail', { reason: 'It broke.', retry_after_seconds: 1 }));
  if (drawn < 0.07) return void (await call('fail', { reason: 'It cannot be done.', retryable: false }));
  if (drawn < 0.13) return void (await call('release', { reason: 'Not now.', not_before_seconds: 1 }));
  if (drawn < 0.16) return void (await call('handoff', { to: { role: anyOf(['rd', 'qa', 'pm']) }, summary: 'Yours.' }));
  // Killed, as far as the service knows.
  if (drawn < 0.2) return pause(7_000);
  const decision = isWild && oneIn(4) ? 'reject' : 'approve';
  const outcome = { summary: 'Done.', result: { decision }, scores: { code_quality: Math.floor(Math.random() * 101) } };
  if (await call('complete', outcome)) world.completions.add(`${held.taskId} ${agent.id}`);
}
