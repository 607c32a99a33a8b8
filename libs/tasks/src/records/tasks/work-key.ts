import { needsOf } from './eligibility.ts';
import type { Task } from './task.ts';

/** Used instead of a role if agents of any role may claim the task. */
export const anyRole = '*';

export type WorkKeyFields = Pick<
  Task,
  'assignedRole' | 'assignedAgent' | 'isPinned' | 'notFor' | 'lostBy' | 'restsUntil'
>;

/** Columns of WorkKeyFields, for SELECT. `alias` is the table's. */
export const workKeyColumns = (alias: string) => `
  ${alias}.assigned_role AS "assignedRole", ${alias}.assigned_agent AS "assignedAgent", ${alias}.is_pinned AS "isPinned",
  ${alias}.not_for AS "notFor", ${alias}.lost_by AS "lostBy", ${alias}.rests_until AS "restsUntil"`;

/**
 * Key of the wake-up channel `work` for a task that may be claimed at `at`: tenant, agent or role, and agents of the
 * role that may not claim it now. Woken agents check further requirements themselves.
 */
export function workKeyOf(tenantId: string, task: WorkKeyFields, at: Date): string {
  const { role, pinnedTo, notFor } = needsOf({ ...task, metadata: {} });
  if (pinnedTo !== null) return `${tenantId} ${pinnedTo}`;
  const resting = task.restsUntil !== null && task.restsUntil > at ? task.lostBy : null;
  const except = [notFor, resting].filter((id) => id !== null);
  return [tenantId, role ?? anyRole, ...(except.length > 0 ? [except.join()] : [])].join(' ');
}

/** An agent that waits for work. Agents of one role with the same capabilities are of one kind. */
export type Waiter = { tenantId: string; agentId: string; role: string };

export type Wake = { tenantId: string; meant: string; except: readonly string[] };

export function readWorkKey(key: string): Wake {
  const [tenantId = '', meant = '', except = ''] = key.split(' ');
  return { tenantId, meant, except: except.split(',') };
}

export function isMeant({ tenantId, meant, except }: Wake, waiter: Waiter): boolean {
  if (tenantId !== waiter.tenantId || except.includes(waiter.agentId)) return false;
  return meant === anyRole || meant === waiter.role || meant === waiter.agentId;
}
