import { append, type Tx } from '@eas/db';

export function appendArrived(tx: Tx, agent: { id: string; role: string }, at: Date): void {
  append(tx, { type: 'agent.arrived', at, data: { agent_id: agent.id, role: agent.role, after: null }, facts: null });
}
