/** In place of a role: the task may be claimed by agents of any role, or by one agent alone. */
export const anyRole = '*';

/** Key of the wake-up channel `work`: a task of the role may have become claimable. */
export function workKey(tenantId: string, role: string): string {
  return `${tenantId} ${role}`;
}

/** Key that wakes those who may claim the task. */
export function workKeyOf(tenantId: string, task: { assignedRole: string | null; isPinned: boolean }): string {
  return workKey(tenantId, task.isPinned ? anyRole : (task.assignedRole ?? anyRole));
}

/** Whether a claim that waits under `own` is meant by the notified `key`; '' means everybody. */
export function isMeant(own: string, key: string): boolean {
  if (key === '' || key === own) return true;
  return key.endsWith(` ${anyRole}`) && own.startsWith(key.slice(0, -anyRole.length));
}
