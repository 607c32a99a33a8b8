/** In place of a role: the task may be claimed by agents of any role. */
const anyRole = '*';

/** Key of the wake-up channel `work`: a task of the role may have become claimable. One that waits per kind is woken. */
export function workKey(tenantId: string, role: string | null): string {
  return `${tenantId} ${role ?? anyRole}`;
}

type Claimable = {
  assignedRole: string | null;
  assignedAgent: string | null;
  isPinned: boolean;
  notFor?: string | null;
};

/** Key that wakes who may claim the task: its agent, or agents of its role; all of them where not each one may. */
export function workKeyOf(tenantId: string, { assignedRole, assignedAgent, isPinned, notFor }: Claimable): string {
  if (isPinned && assignedAgent !== null) return `${tenantId} ${assignedAgent}`;
  return notFor ? `${workKey(tenantId, assignedRole)} all` : workKey(tenantId, assignedRole);
}

/** Who waits for work. Agents of one role with the same capabilities are of one kind: what one may claim, any may. */
export type Waiter = { tenantId: string; agentId: string; role: string; kind: string };

/** Whom a key means: nobody, the waiter in its turn among those of its kind, or the waiter in any case. */
export function meaningOf(key: string, waiter: Waiter): 'nobody' | 'one_of_kind' | 'each' {
  if (key === '') return 'each';
  const [tenantId, meant, all] = key.split(' ');
  if (tenantId !== waiter.tenantId) return 'nobody';
  if (meant === waiter.agentId) return 'each';
  if (meant !== waiter.role && meant !== anyRole) return 'nobody';
  return all ? 'each' : 'one_of_kind';
}
