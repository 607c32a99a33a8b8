import { Tag, type Tone } from '../parts/tag.tsx';
import type { Agent } from './agent-queries.ts';

const presenceTones: Readonly<Record<Agent['presence'], Tone>> = { online: 'good', stale: 'warn', offline: 'none' };

export const PresenceTag = ({ presence }: Agent) => <Tag tone={presenceTones[presence]}>{presence}</Tag>;

/** What it works on now of what it may. */
export const loadOf = ({ active_tasks: active, max_concurrent_tasks: max }: Agent): string => `${active} of ${max}`;

/** How much the agent does, and whether it takes more. */
export const StatusTag = ({ status, accepting }: Agent) => (
  <Tag tone={accepting ? 'accent' : 'warn'}>{accepting ? status : `${status}, paused`}</Tag>
);
