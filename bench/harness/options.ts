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
  /** Runs all that has a yardstick, compares the figures with the last ones and stores them. */
  save: boolean;
};

/** The scenarios of `--save`. */
const compared = [
  'create-task',
  'receive-event',
  'claim-cycles',
  'workflow-runs',
  'workflow-peers',
  'delivery-rate',
  'read-task',
  'read-agent',
  'list-tasks',
  'read-analytics',
];

const usage = `npm run bench -- [--backend postgres|redis] [--only <scenario>]... [--seconds 8] [--rounds 3] [--connections 64] [--save]
--save: the whole table of what has a yardstick, stored in bench/results unless a ratio lost more than 15 %; takes
about 20 minutes with its default of --seconds 5.
DATABASE_URL and REDIS_URL name servers to use; without them an embedded Postgres and a redis-server from PATH are started.
DATABASE_URL must name a database made for this purpose: the bench fills it.`;

/** Throws with the usage when an argument is not known. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv = process.env): Options {
  const { values } = parseArgs({
    args,
    options: {
      backend: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { backend } = values;
  if (values.help || (backend !== undefined && backend !== 'postgres' && backend !== 'redis')) throw new Error(usage);
  if (values.save && values.only.length > 0)
    throw new Error('--save stores the whole table: leave out --only, or leave out --save to run some scenarios.');
  if (values.save && env['BENCH_PEER'] && !env['BENCH_PEER_VERSION'])
    throw new Error('BENCH_PEER_VERSION must have the version of the BENCH_PEER: --save stores it with the figures.');
  return {
    backend,
    only: values.save ? compared : values.only,
    save: values.save,
    // With eight seconds the whole table would take half an hour.
    roundSeconds: positive('seconds', values.seconds ?? (values.save ? '5' : '8')),
    rounds: positive('rounds', values.rounds),
    connections: positive('connections', values.connections),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a positive integer\n${usage}`);
}
