import { Tag } from '../parts/tag.tsx';
import type { Runner } from './runner-queries.ts';

/** Whether it is online, and whether it is draining. */
export function RunnerTag({ presence, draining }: Runner) {
  if (presence === 'offline') return <Tag>offline</Tag>;
  return draining ? <Tag tone="warn">draining</Tag> : <Tag tone="good">online</Tag>;
}

/** The program that works on the tasks. */
export function programOf({ preset_title: title, agent_version: version }: Runner): string {
  if (title === null) return 'a script';
  return version === null ? title : `${title} ${version}`;
}

/** The number of tasks that it works on, of those that it may; unknown while it is offline. */
export const runningOf = ({ presence, running, concurrency }: Runner): string =>
  presence === 'online' ? `${running} of ${concurrency}` : `up to ${concurrency}`;

/** To find the process on its machine. */
export const processOf = ({ host, os, pid }: Runner): string =>
  [host, os, pid !== null && `process ${pid}`].filter(Boolean).join(', ');
