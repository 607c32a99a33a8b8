import type { Consumer } from '../jobs/catalogue.ts';
import type { EventData, EventFacts, Events, EventType } from './catalogue.ts';

type Routed<T extends EventType> = Events[T]['visibility'] extends 'public'
  ? readonly ['event.fan_out', ...Consumer[]]
  : readonly Consumer[];

/** Every arrow between features: event → consumers. A public event is always fanned out to endpoints. */
export const routing: { [T in EventType]: Routed<T> } = {
  'task.created': ['event.fan_out', 'task.plan', 'facts.record'],
  'task.assigned': ['event.fan_out'],
  'task.started': ['event.fan_out', 'facts.record'],
  'task.updated': ['event.fan_out', 'task.plan', 'facts.record', 'run.advance'],
  'task.blocked': ['event.fan_out', 'facts.record'],
  'task.completed': ['event.fan_out', 'facts.record', 'run.advance'],
  'task.failed': ['event.fan_out', 'facts.record', 'run.advance'],
  'task.cancelled': ['event.fan_out', 'facts.record', 'run.advance'],
  'task.commented': ['event.fan_out'],
  'agent.presence_changed': ['event.fan_out', 'task.plan'],
  'agent.arrived': ['task.plan'],
  'inbound.received': ['inbound.apply'],
  'pr.opened': ['event.fan_out'],
  'workflow.started': ['event.fan_out'],
  'workflow.step_completed': ['event.fan_out'],
  'workflow.completed': ['event.fan_out'],
  'workflow.failed': ['event.fan_out'],
  'workflow.cancelled': ['event.fan_out'],
};

type Told = { type: EventType; data: Record<string, unknown>; facts: Record<string, unknown> };

/** What a consumer would pass over anyway is not put before it. */
const concerns: { [C in Consumer]?: (told: Told) => boolean } = {
  'run.advance': ({ facts }) => typeof facts['run_id'] === 'string',
  'task.plan': ({ type, data }) => {
    if (type === 'task.created') return data['assigned_agent'] === null && data['assigned_role'] !== null;
    return type !== 'task.updated' || data['to'] === 'created' || data['to'] === 'open';
  },
};

/** Who hears of this very event. */
export function consumersOf<T extends EventType>(
  type: T,
  data: EventData<T>,
  facts: EventFacts<T>,
): readonly Consumer[] {
  return routing[type].filter((consumer: Consumer) => concerns[consumer]?.({ type, data, facts: facts ?? {} }) ?? true);
}
