// What guards a release and not each change, in the order of `npm run test:release`; pure, so that it can be tested.
import type { Counts } from '../npm-test/test-plan.ts';

export type Stage = { name: string; what: string; script: string; args: readonly string[]; env?: NodeJS.ProcessEnv };
export type StageResult = { stage: Stage; counts: Counts; seconds: number };

const long = { TEST_FORM: 'long' };

export const stages: readonly Stage[] = [
  {
    name: 'release',
    what: 'image, rolling restart, key rotation, roles, backup, tracing, rest, packages, receivers, pictures, cookbook',
    script: 'test',
    args: ['--kind', 'release'],
    env: long,
  },
  {
    name: 'long',
    what: 'all suites, random ones in their long form, all that use queues on both back ends',
    script: 'test',
    args: [],
    env: long,
  },
  {
    name: 'contract',
    what: 'all foreign tools, also those that prove the same twice, and Kubernetes in full',
    script: 'test:contract',
    args: ['--all'],
  },
  {
    name: 'clients',
    what: 'clients of generators for seven languages compile, and create, claim, complete, page and subscribe',
    script: 'test:contract',
    args: ['sdk', 'python', 'clients'],
  },
  ...(['redis', 'postgres'] as const).map((backend) => ({
    name: `abuse-${backend}`,
    what: `a tenant next to one that attacks, queues on ${backend}`,
    script: 'bench',
    args: ['--backend', backend, '--only', 'abuse', '--seconds', '10'],
  })),
  { name: 'fuzz', what: 'changed inputs for a minute each', script: 'fuzz', args: ['--seconds', '60'] },
  {
    name: 'failures',
    what: 'faults under load, on both back ends',
    script: 'test:failures',
    args: ['--seconds', '10'],
  },
  {
    name: 'real-agents',
    what: 'Claude Code, Codex, Gemini, opencode and Qwen work for the runner with a played model',
    script: 'test:real-agents',
    args: [],
  },
  { name: 'demo-agents', what: 'one of them as a new user sees it', script: 'demo:agents', args: ['gemini'] },
  {
    name: 'upgrade',
    what: 'each release together with this version',
    script: 'test:upgrade',
    args: ['--seconds', '10'],
  },
];

const countsLine = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

/** The last line of counts that a command printed; one failure where it printed none or ended badly. */
export function countsIn(output: string, exitCode: number): Counts {
  const [, passed = '0', failed = '1', skipped = '0'] = [...output.matchAll(countsLine)].at(-1) ?? [];
  return { passed: +passed, failed: Math.max(+failed, exitCode === 0 ? 0 : 1), skipped: +skipped };
}

/** What a stage was run on, and when. */
export type Ran = { version: string; commit: string; date: string };

/** docs/release-report.md once a stage has run. `before`: the report so far, whose other rows stay. */
export function reportOf(before: string, { stage, counts, seconds }: StageResult, ran: Ran): string {
  const { passed, failed, skipped } = counts;
  const { version, commit, date } = ran;
  const cells = [passed, failed, skipped, Math.round(seconds), `${version} at ${commit}`, date];
  const kept = new Map([...before.matchAll(/^\| (\S+) \|.*$/gm)].map(([row, name]) => [name, row]));
  kept.set(stage.name, `| ${stage.name} | ${stage.what} | ${cells.join(' | ')} |`);
  const rows = stages.map(({ name, what }) => kept.get(name) ?? `| ${name} | ${what} | not run | | | | | |`);
  return `# The last run of test:release

Written by \`npm run test:release\`, stage by stage.

| stage | what it proves | passed | failed | skipped | seconds | version | date |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
