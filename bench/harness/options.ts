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
  /** Runs what has a yardstick unless `only` says otherwise, stores the figures and compares them with the last ones. */
  save: boolean;
};

/** The scenarios of `--save`. */
const compared = [
  'create-task',
  'receive-event',
  'claim-cycles',
  'workflow-runs',
  'delivery-rate',
  'read-task',
  'read-agent',
  'list-tasks',
  'read-analytics',
];

const usage = `npm run bench -- [--backend postgres|redis] [--only <scenario>]... [--seconds 8] [--rounds 3] [--connections 64] [--save]
--save: the whole table of what has a yardstick, stored in bench/results; fails when a ratio lost more than 15 %.
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
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { backend } = values;
  if (values.help || (backend !== undefined && backend !== 'postgres' && backend !== 'redis')) throw new Error(usage);
  return {
    backend,
    only: values.save && values.only.length === 0 ? compared : values.only,
    save: values.save,
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
