/** Those whose profile it is. */
export type Holders = { roles: string[]; agents: string[] };
export type Holder = { holder: string };

const [ofRole, ofAgent] = ['role:', 'agent:'] as const;

/** As rows name those whose profile it is. */
export const holderNames = ({ roles, agents }: Holders): string[] => [
  ...roles.map((role) => ofRole + role),
  ...agents.map((agent) => ofAgent + agent),
];

const namedWith = (beginning: string, holders: readonly Holder[]): string[] =>
  holders.flatMap(({ holder }) => (holder.startsWith(beginning) ? holder.slice(beginning.length) : [])).sort();

/** The same as people and programs name them. */
export const holdersIn = (holders: readonly Holder[]): Holders => ({
  roles: namedWith(ofRole, holders),
  agents: namedWith(ofAgent, holders),
});

/** The id of the profile of an agent, its own or else that of its role, by expressions of the three. */
export const profileIdSql = ({ tenant, role, agent }: { tenant: string; role: string; agent: string }): string => `
  (SELECT h.profile_id FROM profile_holders h
   WHERE h.tenant_id = ${tenant} AND h.holder IN ('${ofAgent}' || ${agent}, '${ofRole}' || ${role})
   ORDER BY h.holder LIMIT 1)`;
