// What `npm test` was asked to run, and how Jest's reports add up; pure, so that it can be tested.
export type Kind = 'unit' | 'int' | 'e2e';
export type Backend = 'postgres' | 'redis';
export type Counts = { passed: number; failed: number; skipped: number };

/** The part of Jest's --json output that is read here. */
export type JestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
};
export type TestPlan = { kinds: Kind[]; backends: Backend[]; jestArgs: string[] };

const KINDS: readonly Kind[] = ['unit', 'int', 'e2e'];
const BACKENDS: readonly Backend[] = ['postgres', 'redis'];

function pick<T extends string>(option: string, value: string | undefined, known: readonly T[]): T[] {
  const asked = (value ?? '').split(',');
  const unknown = asked.filter((word) => !known.some((name) => name === word));
  if (unknown.length > 0) throw new Error(`${option} takes ${known.join(', ')}, not "${unknown.join(',')}".`);
  return known.filter((name) => asked.includes(name));
}

/** Own options are taken out, the rest is Jest's; throws on an unknown kind or back end. */
export function parseTestArgs(args: readonly string[]): TestPlan {
  const plan: TestPlan = { kinds: [...KINDS], backends: [...BACKENDS], jestArgs: [] };
  for (let index = 0; index < args.length; index += 1) {
    const [name, inline] = (args[index] ?? '').split('=', 2);
    if (name === '--kind') plan.kinds = pick(name, inline ?? args[(index += 1)], KINDS);
    else if (name === '--backend') plan.backends = pick(name, inline ?? args[(index += 1)], BACKENDS);
    else plan.jestArgs.push(args[index] ?? '');
  }
  return plan;
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
