import { type Consumer, jobOf } from '../jobs/catalogue.ts';
import type { EventData, EventFacts, Events, EventType } from './catalogue.ts';

type Routed<T extends EventType> = Events[T]['visibility'] extends 'public'
  ? readonly [typeof publicEventConsumer, ...Consumer[]]
  : readonly Consumer[];

/** All connections between features: event → consumers. A consumer's job defines which of these events it wants. */
export const routing: { [T in EventType]: Routed<T> } = {
  'task.created': ['event.fan_out', 'task.plan', 'facts.follow'],
  'task.assigned': ['event.fan_out'],
  'task.started': ['event.fan_out', 'facts.follow'],
  'task.updated': ['event.fan_out', 'task.plan', 'facts.follow', 'run.advance', 'pull_request.open'],
  'task.blocked': ['event.fan_out', 'facts.follow'],
  'task.asked': ['event.fan_out', 'platform.tell'],
  'task.answered': ['event.fan_out', 'chat.question'],
  'input.cancelled': ['chat.question'],
  'task.completed': ['event.fan_out', 'facts.follow', 'run.advance', 'platform.tell', 'pull_request.open'],
  'task.failed': ['event.fan_out', 'facts.record', 'run.advance'],
  'task.cancelled': ['event.fan_out', 'facts.follow', 'run.advance'],
  'task.commented': ['event.fan_out'],
  'agent.presence_changed': ['event.fan_out', 'task.plan'],
  'agent.arrived': ['task.plan'],
  'budget.warning': ['event.fan_out'],
  'budget.exhausted': ['event.fan_out'],
  'usage.recorded': ['usage.record'],
  'inbound.received': ['inbound.apply'],
  'platform.replied': ['platform.hear'],
  'pr.opened': ['event.fan_out'],
  'pr.updated': ['event.fan_out'],
  'pr.merged': ['event.fan_out'],
  'pr.closed': ['event.fan_out'],
  'pr.reviewed': ['event.fan_out'],
  'pr.checks': ['event.fan_out'],
  'workflow.started': ['event.fan_out'],
  'workflow.step_completed': ['event.fan_out'],
  'workflow.completed': ['event.fan_out'],
  'workflow.failed': ['event.fan_out'],
  'workflow.cancelled': ['event.fan_out'],
  'webhook.failing': ['event.fan_out'],
  'webhook.paused': ['event.fan_out'],
  'webhook.disabled': ['event.fan_out'],
  'webhook.recovered': ['event.fan_out'],
  ping: ['event.fan_out'],
};

export const publicEventConsumer = 'event.fan_out' satisfies Consumer;

export const consumers: readonly Consumer[] = [...new Set(Object.values(routing).flat())];

/** The types of events that are routed to a consumer. */
export const typesFor = (consumer: Consumer): EventType[] =>
  (Object.keys(routing) as EventType[]).filter((type) => (routing[type] as readonly Consumer[]).includes(consumer));

/** The consumers that get an outbox row for this event: those in the routing that want it and do not follow. */
export function consumersOf<T extends EventType>(
  type: T,
  data: EventData<T>,
  facts: EventFacts<T>,
): readonly Consumer[] {
  const event = { type, data, facts: facts ?? {} };
  return routing[type].filter((consumer: Consumer) => {
    const { follows, wants } = jobOf(consumer);
    return !follows && (wants?.(event) ?? true);
  });
}
