import { append, type Tx } from '@eas/db';

type Planned = { id: string; title: string; role: string | null; agentId: string; reason: string };

export function notifyPlanned(tx: Tx, { id, title, role, agentId, reason }: Planned, at: Date): void {
  const data = { task_id: id, title, assigned_agent: agentId, assigned_role: role, reason };
  append(tx, { type: 'task.assigned', at, data, facts: null });
}
