import type { ProfileHead } from './profile.ts';

type Holders = Pick<ProfileHead, 'roles' | 'agents'>;
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
