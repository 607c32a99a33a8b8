import { type Consumer, jobOf } from '../jobs/catalogue.ts';
import { type EventData, type EventFacts, events, type Events, type EventType } from './catalogue.ts';

type Routed<T extends EventType> = Events[T]['visibility'] extends 'public'
  ? readonly [typeof publicEventConsumer, ...Consumer[]]
  : readonly Consumer[];

/** All connections between features: event → consumers. A consumer's job defines which of these events it wants. */
export const routing: { [T in EventType]: Routed<T> } = {
  'task.created': ['fan_out.follow', 'plan.follow', 'facts.follow'],
  'task.assigned': ['fan_out.follow'],
  'task.started': ['fan_out.follow', 'facts.follow'],
  'task.updated': ['fan_out.follow', 'plan.follow', 'facts.follow', 'run.advance', 'pull_request.open'],
  'task.blocked': ['fan_out.follow', 'facts.follow'],
  'task.asked': ['fan_out.follow', 'tell.follow'],
  'task.answered': ['fan_out.follow', 'chat.question'],
  'input.cancelled': ['chat.question'],
  'task.completed': ['fan_out.follow', 'facts.follow', 'run.advance', 'tell.follow', 'pull_request.open'],
  'task.failed': ['fan_out.follow', 'facts.record', 'run.advance'],
  'task.cancelled': ['fan_out.follow', 'facts.follow', 'run.advance'],
  'task.commented': ['fan_out.follow'],
  'agent.presence_changed': ['fan_out.follow', 'plan.follow'],
  'agent.arrived': ['task.plan'],
  'budget.warning': ['fan_out.follow'],
  'budget.exhausted': ['fan_out.follow'],
  'usage.recorded': ['usage.record'],
  'inbound.received': ['inbound.apply'],
  'platform.replied': ['platform.hear'],
  'pr.opened': ['fan_out.follow'],
  'pr.updated': ['fan_out.follow'],
  'pr.merged': ['fan_out.follow'],
  'pr.closed': ['fan_out.follow'],
  'pr.reviewed': ['fan_out.follow'],
  'pr.checks': ['fan_out.follow'],
  'workflow.started': ['fan_out.follow'],
  'workflow.step_completed': ['fan_out.follow', 'facts.follow'],
  'workflow.completed': ['fan_out.follow'],
  'workflow.failed': ['fan_out.follow'],
  'workflow.cancelled': ['fan_out.follow'],
  'webhook.failing': ['fan_out.follow'],
  'webhook.paused': ['fan_out.follow'],
  'webhook.disabled': ['fan_out.follow'],
  'webhook.recovered': ['fan_out.follow'],
  'tenant.created': ['fan_out.follow'],
  'tenant.changed': ['fan_out.follow'],
  'tenant.suspended': ['fan_out.follow'],
  'tenant.resumed': ['fan_out.follow'],
  'tenant.deleted': ['fan_out.follow'],
  'tenant.usage_recorded': ['fan_out.follow'],
  ping: ['fan_out.follow'],
};

const publicEventConsumer = 'fan_out.follow' satisfies Consumer;

/** Marks outbox rows that name the public events of a transaction: the relay gives these events their numbers. */
export const numbering = 'event.number';

/** What an outbox row can be for. */
export type OutboxConsumer = Consumer | typeof numbering;

/** Consumers that read public events by their numbers. */
export const followers: readonly Consumer[] = [...new Set(Object.values(routing).flat())].filter(
  (consumer) => jobOf(consumer).follows,
);

export const consumers: readonly Consumer[] = [
  ...new Set([...Object.values(routing).flat(), ...followers.map((one) => jobOf(one).follows?.leavesTo as Consumer)]),
];

/** The types of events that are routed to a consumer. */
export const typesFor = (consumer: Consumer): EventType[] =>
  (Object.keys(routing) as EventType[]).filter((type) => (routing[type] as readonly Consumer[]).includes(consumer));

/** Whether a consumer that an event is routed to wants it. */
export const wantsEvent = (
  consumer: Consumer,
  { type, data, facts }: { type: string; data: Record<string, unknown>; facts: Record<string, unknown> | null },
): boolean => jobOf(consumer).wants?.({ type, data, facts: facts ?? {} }) ?? true;

/** What gets an outbox row for this event: consumers in the routing that want it and do not follow, and numbering. */
export function consumersOf<T extends EventType>(
  type: T,
  data: EventData<T>,
  facts: EventFacts<T>,
): readonly OutboxConsumer[] {
  const wanting = routing[type].filter(
    (consumer: Consumer) => !jobOf(consumer).follows && wantsEvent(consumer, { type, data, facts }),
  );
  return events[type].visibility === 'public' ? [numbering, ...wanting] : wanting;
}
