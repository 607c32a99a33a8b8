import { parseArgs } from 'node:util';

export const backends = ['postgres', 'redis'] as const;
export type Backend = (typeof backends)[number];

export type Options = {
  /** Undefined: Redis where one is found. */
  backend: Backend | undefined;
  /** Names of scenarios; empty: all. */
  only: string[];
  roundSeconds: number;
  rounds: number;
  connections: number;
};

const usage = `npm run bench -- [--backend postgres|redis] [--only <scenario>]... [--seconds 8] [--rounds 3] [--connections 64]
DATABASE_URL and REDIS_URL name servers to use; without them an embedded Postgres and a redis-server from PATH are started.
DATABASE_URL must name a database made for this purpose: the bench fills it.`;

/** Throws with the usage when an argument is not known. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      backend: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      help: { type: 'boolean', default: false },
    },
  });
  const { backend } = values;
  if (values.help || (backend !== undefined && backend !== 'postgres' && backend !== 'redis')) throw new Error(usage);
  return {
    backend,
    only: values.only,
    roundSeconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    connections: positive('connections', values.connections),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a positive integer\n${usage}`);
}
