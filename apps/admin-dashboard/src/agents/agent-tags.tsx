import { Tag, type Tone } from '../parts/tag.tsx';
import type { Agent } from './agent-queries.ts';

const presenceTones: Readonly<Record<Agent['presence'], Tone>> = { online: 'good', stale: 'warn', offline: 'none' };

export const PresenceTag = ({ presence }: Agent) => <Tag tone={presenceTones[presence]}>{presence}</Tag>;

/** How much the agent does, and whether it takes more. */
export const StatusTag = ({ status, accepting }: Agent) => (
  <Tag tone={accepting ? 'accent' : 'warn'}>{accepting ? status : `${status}, paused`}</Tag>
);
