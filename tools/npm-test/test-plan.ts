// What `npm test` was asked to run, and how Jest's reports add up; pure, so that it can be tested.
export type Kind = 'unit' | 'int' | 'e2e' | 'release';
export type Backend = 'postgres' | 'redis';
export type Counts = { passed: number; failed: number; skipped: number };

/** The part of Jest's --json output that is read here. */
export type JestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly {
    /** The path of the file. */
    name: string;
    status: string;
    assertionResults: readonly { fullName: string; status: string }[];
  }[];
};
export type TestPlan = { kinds: Kind[]; backends: Backend[]; jestArgs: string[] };

const KINDS: readonly Kind[] = ['unit', 'int', 'e2e', 'release'];
/** The others guard a release, not each change: `npm run test:release`. */
const USUAL_KINDS: readonly Kind[] = ['unit', 'int', 'e2e'];
const BACKENDS: readonly Backend[] = ['postgres', 'redis'];

function pick<T extends string>(option: string, value: string | undefined, known: readonly T[]): T[] {
  const asked = (value ?? '').split(',');
  const unknown = asked.filter((word) => !known.some((name) => name === word));
  if (unknown.length > 0) throw new Error(`${option} takes ${known.join(', ')}, not "${unknown.join(',')}".`);
  return known.filter((name) => asked.includes(name));
}

/** Own options are taken out, the rest is Jest's; throws on an unknown kind or back end. */
export function parseTestArgs(args: readonly string[]): TestPlan {
  const plan: TestPlan = { kinds: [...USUAL_KINDS], backends: [...BACKENDS], jestArgs: [] };
  for (let index = 0; index < args.length; index += 1) {
    const [name, inline] = (args[index] ?? '').split('=', 2);
    if (name === '--kind') plan.kinds = pick(name, inline ?? args[(index += 1)], KINDS);
    else if (name === '--backend') plan.backends = pick(name, inline ?? args[(index += 1)], BACKENDS);
    else plan.jestArgs.push(args[index] ?? '');
  }
  return plan;
}

/**
 * The kinds that run together on the Postgres queue, round by round: of all suites those come first that find most soonest,
 * and some that were chosen run at once.
 */
export function roundsOf({ kinds, backends, jestArgs }: TestPlan): Kind[][] {
  const [first, then] = [
    kinds.filter((kind) => kind === 'unit'),
    kinds.filter((kind) => kind !== 'unit' && backends.includes('postgres')),
  ];
  const rounds = jestArgs.length > 0 ? [[...first, ...then]] : [first, then];
  return rounds.filter((round) => round.length > 0);
}

/** What depends on the queue store itself. Other suites with queues are repeated on Redis before a release alone. */
const REDIS_SUITES = [
  'libs/shared/queue/',
  'libs/shared/http/src/limits/',
  'apps/standalone/test/crash.',
  'apps/standalone/test/slice.',
  'apps/standalone/test/stress/',
  'apps/webhook-dispatcher/test/chat.',
  'apps/webhook-dispatcher/test/dispatcher.',
];

/** Kills and wipes: by each change on Redis, which is what production has, and on Postgres before a release. */
const REDIS_ALONE = ['apps/standalone/test/crash.', 'apps/standalone/test/stress/'];

/** Beginnings of paths that a run of all suites does not repeat on the Postgres queue. */
export const leftToRedis = ({ backends, jestArgs }: TestPlan): readonly string[] =>
  jestArgs.length === 0 && backends.includes('redis') && process.env['TEST_FORM'] !== 'long' ? REDIS_ALONE : [];

/** Of the suites that use queues, as paths in the repository, those that each change is tested with on Redis. */
export const redisSuitesOf = (files: readonly string[]): string[] =>
  files.filter((file) => REDIS_SUITES.some((beginning) => file.startsWith(beginning)));

/** Whether patterns of Jest lead to any of these files; with options among them, that is for Jest to say. */
export const mayMatch = (jestArgs: readonly string[], files: readonly string[]): boolean =>
  jestArgs.length === 0 ||
  jestArgs.some((arg) => arg.startsWith('-') || files.some((file) => new RegExp(arg, 'i').test(file)));

/** Tests that failed, by file; a file that could not even run has the empty name. */
export function failuresOf({ testResults }: JestReport): Map<string, string[]> {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const nameOf = ({ assertionResults }: JestReport['testResults'][number]) => {
    const names = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    return names.length > 0 ? names : [''];
  };
  return new Map(failed.map((file) => [file.name, nameOf(file)]));
}

/** Of the tests that failed at first, those that did not when their files were repeated: "<file> › <test>". */
export function passedOnRepetition(first: JestReport, repeated: JestReport): string[] {
  const again = failuresOf(repeated);
  // A file that could not even run has shown nothing of its tests.
  const failedAgain = (file: string, name: string) => again.get(file)?.some((other) => other === name || other === '');
  return [...failuresOf(first)].flatMap(([file, names]) =>
    names.filter((name) => !failedAgain(file, name)).map((name) => (name ? `${file} › ${name}` : file)),
  );
}

/** A suite that could not even run counts as one failure, and so does a run that exits badly with nothing failed. */
export function sumOf(report: JestReport, exitCode: number): Counts {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
