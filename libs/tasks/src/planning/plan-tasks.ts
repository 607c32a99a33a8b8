import type { StoredEvent } from '@eas/contracts';
import { createPauses } from '@eas/core';
import { append, type Tx, type UseCaseContext } from '@eas/db';
import { agentsForPlanning, type PlanningAgent } from '../reading/agent.read-model.ts';
import { workKeyOf } from '../records/tasks/work-key.ts';
import { insertTimeline } from '../records/timeline/timeline.store.ts';
import { chooseAgent, type Choice } from './choose-agent.ts';
import { assignTasks, lockFreePlannable, lockUnplanned, type PlannableTask } from '../records/tasks/plan.store.ts';
import { notifyPlanned } from './notify-planned.ts';
import { neverBefore } from '../moves/task-change.ts';
import { withdrawPlansOf } from '../moves/withdraw-plans.ts';

/**
 * Consumer `plan.follow`, and `task.plan` of single events: plans tasks for agents of their role when tasks or agents
 * come or go. Any agent of the role may still claim them. A task without an eligible accepting agent stays without one
 * until one arrives. Returns the events of locked tasks, to be planned later.
 */
export async function planTasks(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<{ again: string[] }> {
  return ctx.inTransaction(async (tx) => {
    const at = ctx.clock.now();
    await withdrawOfflinePlans(tx, events, at);
    const named = await lockFreePlannable(tx, tasksToPlan(events));
    const tasks = uniqueById([...named.tasks, ...(await lockForArrived(tx, events, at))]);
    const again = eventsOf(events, named.locked);
    if (tasks.length === 0) return { again };
    // A concurrent claim may have skipped the locked tasks.
    for (const task of tasks) tx.notify('work', workKeyOf(tx.tenantId, task, at));
    const agents = await agentsForPlanning(tx, [...new Set(tasks.map(({ assignedRole }) => assignedRole))]);
    await writePlans(tx, await chooseForAll(tasks, agents), at);
    return { again };
  });
}

/** Thousands of tasks and agents take seconds: yields the event loop in between. */
async function chooseForAll(tasks: readonly PlannableTask[], agents: readonly PlanningAgent[]): Promise<Plan[]> {
  const pause = createPauses();
  const plans: Plan[] = [];
  for (const task of tasks) {
    const plan = planFor(task, agents);
    if (plan) plans.push(plan);
    await pause();
  }
  return plans;
}

type Plan = Choice & { task: PlannableTask };

function planFor(task: PlannableTask, agents: readonly PlanningAgent[]): Plan | undefined {
  const { assignedRole: role, notFor, lostBy, requiredCapabilities: capabilities } = task;
  const choice = chooseAgent({ role, pinnedTo: null, notFor, capabilities }, agents, lostBy);
  return choice && { task, ...choice };
}

const taskToPlan = ({ type, data }: StoredEvent): string | undefined =>
  type === 'task.created' || type === 'task.updated' ? data.task_id : undefined;

function tasksToPlan(events: readonly StoredEvent[]): string[] {
  return [...new Set(events.map(taskToPlan))].filter((id) => id !== undefined);
}

function eventsOf(events: readonly StoredEvent[], taskIds: readonly string[]): string[] {
  const ids = new Set<string | undefined>(taskIds);
  return events.filter((event) => taskToPlan(event) && ids.has(taskToPlan(event))).map(({ eventId }) => eventId);
}

/** Locks what may be planned now that agents have arrived: the first tasks of their roles. The rest follows by events. */
async function lockForArrived(tx: Tx, events: readonly StoredEvent[], at: Date): Promise<PlannableTask[]> {
  const locked: PlannableTask[] = [];
  for (const arrival of arrivals(events)) {
    const { tasks, next } = await lockUnplanned(tx, arrival.role, arrival.after);
    locked.push(...tasks);
    if (next) append(tx, { type: 'agent.arrived', at, data: { ...arrival, after: next }, facts: null });
  }
  return locked;
}

type Arrival = Extract<StoredEvent, { type: 'agent.arrived' }>['data'];

/** One event per role, from the earliest position: it plans for all agents of the role, not only new ones. */
function arrivals(events: readonly StoredEvent[]): Arrival[] {
  const byRole = new Map<string, Arrival>();
  for (const { type, data } of events) {
    if (type === 'agent.arrived' && (data.after === null || !byRole.has(data.role))) byRole.set(data.role, data);
    if (type === 'agent.presence_changed' && data.to === 'online')
      byRole.set(data.role, { agent_id: data.agent_id, role: data.role, after: null });
  }
  return [...byRole.values()].sort((a, b) => (a.role < b.role ? -1 : 1));
}

/** Plans again what was planned for offline agents, if others of their role are online. */
async function withdrawOfflinePlans(tx: Tx, events: readonly StoredEvent[], at: Date): Promise<void> {
  const gone = new Map<string, string>();
  for (const { type, data } of events)
    if (type === 'agent.presence_changed' && data.to === 'offline') gone.set(data.agent_id, data.role);
  if (gone.size === 0) return;
  const agents = await agentsForPlanning(tx, [...new Set(gone.values())]);
  const present = agents.filter(({ standing }) => standing !== 'away');
  const rolesOfPresent = new Set(present.map(({ role }) => role));
  for (const { id } of present) gone.delete(id);
  for (const [agentId, role] of gone)
    if (rolesOfPresent.has(role)) await withdrawPlansOf(tx, { agentId, at, actor: 'system', keepsPinned: true });
}

function uniqueById(tasks: readonly PlannableTask[]): PlannableTask[] {
  return [...new Map(tasks.map((task) => [task.id, task])).values()];
}

async function writePlans(tx: Tx, plans: readonly Plan[], at: Date): Promise<void> {
  if (plans.length === 0) return;
  assignTasks(tx, plans, at);
  insertTimeline(
    tx,
    plans.map(({ task, agentId, reason }) => ({
      taskId: task.id,
      seq: task.timelineSeq + 1,
      kind: 'assignment',
      at: neverBefore(task, at),
      actor: 'system',
      data: { assigned_agent: agentId, reason },
    })),
  );
  const pause = createPauses();
  for (const { task, agentId, reason } of plans) {
    notifyPlanned(tx, { ...task, role: task.assignedRole, agentId, reason }, at);
    await pause();
  }
}
