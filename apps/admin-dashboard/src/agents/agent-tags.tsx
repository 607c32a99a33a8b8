import { Tag, type Tone } from '../parts/tag.tsx';
import type { Agent } from './agent-queries.ts';

const presenceTones: Readonly<Record<Agent['presence'], Tone>> = { online: 'good', stale: 'warn', offline: 'none' };

export const PresenceTag = ({ presence }: Agent) => <Tag tone={presenceTones[presence]}>{presence}</Tag>;

/** The number of tasks that it works on, of those that it may. */
export const loadOf = ({ active_tasks: active, max_concurrent_tasks: max }: Agent): string => `${active} of ${max}`;

/** How much the agent does, and whether it accepts more. */
export const StatusTag = ({ status, accepting }: Agent) => (
  <Tag tone={accepting ? 'accent' : 'warn'}>{accepting ? status : `${status}, paused`}</Tag>
);
