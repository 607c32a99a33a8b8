import type { StoredEvent } from '@eas/contracts';
import { append, type Tx, type UseCaseContext } from '@eas/db';
import { agentsForPlanning, type PlanningAgent } from '../agents/agent.read-model.ts';
import { workKey } from '../leases/work-key.ts';
import { assignTasks, lockUnplanned, type UnplannedTask } from './plan.store.ts';
import { insertTimeline } from '../timeline/timeline.store.ts';

/**
 * Consumer `task.plan`: gives tasks without an agent one of their role, as a plan. Any agent of the role may still
 * claim them. A task whose role has no accepting agent stays without.
 */
export async function planTasks(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const tasks = await lockUnplanned(tx, [...new Set(events.flatMap(taskIdsToPlan))]);
    if (tasks.length === 0) return;
    // A claim that looked meanwhile has passed over the locked tasks.
    for (const { role } of tasks) tx.notify('work', workKey(tx.tenantId, role));
    const agents = await agentsForPlanning(tx, [...new Set(tasks.map(({ role }) => role))]);
    const plans = tasks.flatMap((task) => {
      const plan = choose(task, agents);
      return plan ? [plan] : [];
    });
    await writePlans(tx, plans, ctx.clock.now());
  });
}

function taskIdsToPlan(event: StoredEvent): string[] {
  if (event.type === 'task.created') return [event.data.task_id];
  const isOpen = event.type === 'task.updated' && ['created', 'open'].includes(event.data.to);
  return isOpen ? [event.data.task_id] : [];
}

type Plan = { task: UnplannedTask; agentId: string; reason: string };

/** Fewest assigned tasks first, then the longest idle. Counts the choice, so that a batch spreads. */
export function choose(task: UnplannedTask, agents: readonly PlanningAgent[]): Plan | undefined {
  const able = agents.filter(
    (agent) => agent.role === task.role && task.requiredCapabilities.every((one) => agent.capabilities.includes(one)),
  );
  const [best] = able.sort((a, b) => a.assigned - b.assigned || a.idleSince.getTime() - b.idleSince.getTime());
  if (!best) return undefined;
  const reason = `${able.length} accepting ${task.role} agent(s); this one has the fewest tasks (${best.assigned})`;
  best.assigned += 1;
  return { task, agentId: best.id, reason };
}

async function writePlans(tx: Tx, plans: readonly Plan[], at: Date): Promise<void> {
  if (plans.length === 0) return;
  await assignTasks(tx, plans, at);
  await insertTimeline(
    tx,
    plans.map(({ task, agentId, reason }) => ({
      taskId: task.id,
      seq: task.timelineSeq + 1,
      kind: 'assignment',
      at,
      actor: 'system',
      data: { assigned_agent: agentId, reason },
    })),
  );
  for (const { task, agentId, reason } of plans) {
    const data = { task_id: task.id, title: task.title, assigned_agent: agentId, assigned_role: task.role, reason };
    append(tx, { type: 'task.assigned', at, data, facts: null });
  }
}
