import { definedOf } from '../parts/defined.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';

export const agentStatuses = ['idle', 'active', 'busy'] as const;
export const presences = ['online', 'stale', 'offline'] as const;

/** What the address of the list contains. */
export type AgentSearch = {
  role?: string;
  status?: (typeof agentStatuses)[number];
  presence?: (typeof presences)[number];
  new?: true;
};

/** Reads the address and ignores unknown parts. */
export function readAgentSearch(search: Record<string, unknown>): AgentSearch {
  const { role, status, presence } = readTexts(search, ['role', 'status', 'presence']);
  const found = {
    role,
    status: oneOf(agentStatuses, status),
    presence: oneOf(presences, presence),
    new: search['new'] === true ? true : undefined,
  };
  return definedOf(found) as AgentSearch;
}
