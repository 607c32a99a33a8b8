import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/session.ts';
import parts from '../parts/parts.module.css';
import { agentsQuery } from './task-queries.ts';

/** A warning that a role has no agents, so its work is not done; without a role, if there are no agents at all. */
export function NoAgentHas({ role }: { role: string | null }) {
  const { data: agents } = useQuery({ ...agentsQuery, enabled: useMay('agents:read') });
  if (!agents?.isAll || agents.data.some((agent) => role === null || agent.role === role)) return null;
  return <span className={parts['warning']}>({role === null ? 'there are no agents' : 'no agent has this role'})</span>;
}
