import type { Consumer } from '../jobs/catalogue.ts';
import type { Events, EventType } from './catalogue.ts';

type Routed<T extends EventType> = Events[T]['visibility'] extends 'public'
  ? readonly ['event.fan_out', ...Consumer[]]
  : readonly Consumer[];

/** Every arrow between features: event → consumers. A public event is always fanned out to endpoints. */
export const routing: { [T in EventType]: Routed<T> } = {
  'task.created': ['event.fan_out', 'task.plan', 'facts.record'],
  'task.assigned': ['event.fan_out'],
  'task.started': ['event.fan_out', 'facts.record'],
  'task.updated': ['event.fan_out', 'task.plan', 'facts.record'],
  'task.blocked': ['event.fan_out', 'facts.record'],
  'task.completed': ['event.fan_out', 'facts.record'],
  'task.failed': ['event.fan_out', 'facts.record'],
  'task.cancelled': ['event.fan_out', 'facts.record'],
  'task.commented': ['event.fan_out'],
  'agent.presence_changed': ['event.fan_out', 'task.plan'],
  'agent.arrived': ['task.plan'],
  'inbound.received': ['inbound.apply'],
  'pr.opened': ['event.fan_out'],
};
