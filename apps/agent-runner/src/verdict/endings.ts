import type { CheckResult, Happened, PushResult, Turn, Work } from './happened.ts';
import type { Verdict } from './verdict.ts';

/** How tasks of agents can end: the tests go through all of them, and the documentation shows them. */
export type Ending = {
  /** What happened, as the documentation says it. */
  title: string;
  happened: Happened;
  verdict: Verdict['kind'];
  isRetryable?: boolean;
};

const turn: Turn = { end: { kind: 'exit', code: 0 }, words: {}, text: 'Done.', errors: [], denied: [], attached: [] };
const green: CheckResult = { name: 'tests', code: 0, signal: null, isTimedOut: false, seconds: 1, tail: 'ok' };
const red: CheckResult = { ...green, code: 1, tail: '1 failed' };
const pushed: PushResult = { kind: 'pushed' };
const work: Work = { isCodeAsked: true, change: 'new', problems: [], checks: [green], push: pushed };
const nothing: Work = { ...work, change: 'none', checks: [], push: undefined };
const good: Happened = {
  turn,
  isScript: false,
  work,
  missing: [],
  hasReview: false,
  hasFeedback: false,
  rounds: { used: 0, max: 2 },
};

const spent = { used: 2, max: 2 };
const question = 'Which of the two did you mean?';
const failing = (title: string, end: Turn['end'], isRetryable = true): Ending => ({
  title,
  happened: { ...good, turn: { ...turn, end } },
  verdict: 'fail',
  isRetryable,
});
const pushing = (title: string, push: PushResult, ending: Pick<Ending, 'verdict' | 'isRetryable'>): Ending => ({
  title,
  happened: { ...good, work: { ...work, push } },
  ...ending,
});

const ofTheAgent: readonly Ending[] = [
  failing('The command ends with another exit code than 0', { kind: 'exit', code: 1 }),
  failing('The agent is killed, by itself or by the machine', { kind: 'signal', signal: 'SIGKILL' }),
  failing('The agent does not end within `--timeout`', { kind: 'timeout', seconds: 7_200 }),
  failing('The model cannot be reached, or the agent breaks off', { kind: 'error', message: 'API error 529' }),
  failing('The agent stops at a limit of its model (`max_tokens`)', { kind: 'stop', reason: 'max_tokens' }),
  failing('The model refuses the task', { kind: 'stop', reason: 'refusal' }, false),
  {
    title: 'The agent was not allowed to use tools, and changed nothing',
    happened: { ...good, turn: { ...turn, denied: ['Write'], text: 'hello.txt is written.' }, work: nothing },
    verdict: 'fail',
    isRetryable: false,
  },
  {
    title: 'The agent was not allowed to use some tools, and changed files',
    happened: { ...good, turn: { ...turn, denied: ['Bash'] } },
    verdict: 'ask',
  },
  {
    title: 'The last word is a question, nothing is changed',
    happened: { ...good, turn: { ...turn, text: question }, work: nothing },
    verdict: 'ask',
  },
  {
    title: 'The last word is a question, files are changed',
    happened: { ...good, turn: { ...turn, text: question } },
    verdict: 'ask',
  },
];

const ofTheWork: readonly Ending[] = [
  {
    title: 'Exit code 0, nothing is changed (also after a failure that the agent hides)',
    happened: { ...good, work: nothing },
    verdict: 'fail',
    isRetryable: true,
  },
  {
    title: 'Nothing is changed, and the acceptance rules ask for no code',
    happened: { ...good, work: { ...nothing, isCodeAsked: false } },
    verdict: 'complete',
  },
  {
    title: 'The change cannot be committed: a file is too large, a merge is not finished, a hook refuses it',
    happened: { ...good, work: { ...work, problems: ['model.bin is too large.'], checks: [], push: undefined } },
    verdict: 'again',
  },
  {
    title: 'The same after all rounds',
    happened: { ...good, work: { ...work, problems: ['model.bin is too large.'] }, rounds: spent },
    verdict: 'fail',
    isRetryable: true,
  },
  {
    title: 'A check fails',
    happened: { ...good, work: { ...work, checks: [green, red], push: undefined } },
    verdict: 'again',
  },
  {
    title: 'A check does not end in time',
    happened: { ...good, work: { ...work, checks: [{ ...red, code: null, signal: 'SIGKILL', isTimedOut: true }] } },
    verdict: 'again',
  },
  {
    title: 'A check fails after all rounds',
    happened: { ...good, work: { ...work, checks: [red], push: undefined }, rounds: spent },
    verdict: 'fail',
    isRetryable: true,
  },
  {
    title: 'An artifact that the acceptance rules require is missing',
    happened: { ...good, missing: ['link'] },
    verdict: 'again',
  },
  {
    title: 'The acceptance rules require a result, and the last message does not end with one that fits',
    happened: { ...good, turn: { ...turn, resultProblem: 'decision: Invalid option' } },
    verdict: 'again',
  },
  {
    title: 'The same after all rounds, without a result that fits',
    happened: { ...good, turn: { ...turn, resultProblem: 'decision: Invalid option' }, rounds: spent },
    verdict: 'fail',
    isRetryable: true,
  },
  pushing(
    'The remote has other commits on the branch of the task',
    { kind: 'conflict', message: 'The remote has other commits.' },
    { verdict: 'fail', isRetryable: true },
  ),
  pushing(
    'The remote refuses the push',
    { kind: 'refused', message: 'The remote refused the push.' },
    { verdict: 'fail', isRetryable: false },
  ),
  pushing(
    'The remote cannot be reached for the push',
    { kind: 'unreachable', message: 'Could not resolve host.' },
    { verdict: 'fail', isRetryable: true },
  ),
];

const completed: readonly Ending[] = [
  { title: 'Files are changed, all checks pass, and the branch is pushed', happened: good, verdict: 'complete' },
  pushing('The same with `--no-push`', { kind: 'off' }, { verdict: 'complete' }),
  {
    title: 'The same, and the acceptance rules ask for a review',
    happened: { ...good, hasReview: true },
    verdict: 'review',
  },
  {
    title: 'Nothing new is changed, and the branch has the work of an earlier attempt',
    happened: { ...good, work: { ...work, change: 'earlier' } },
    verdict: 'complete',
  },
  {
    title: 'The same, though the agent got messages about that work',
    happened: { ...good, hasFeedback: true, work: { ...work, change: 'earlier' } },
    verdict: 'again',
  },
  {
    title: 'The same for the second time: its last message says why',
    happened: { ...good, hasFeedback: true, work: { ...work, change: 'earlier' }, rounds: { used: 1, max: 2 } },
    verdict: 'complete',
  },
];

const saidOnPurpose: readonly Ending[] = [
  {
    title: '`$SAY fail`, whatever else happened',
    happened: { ...good, turn: { ...turn, words: { fail: 'No such branch.' } } },
    verdict: 'fail',
    isRetryable: false,
  },
  {
    title: '`$SAY handoff` and exit code 0',
    happened: { ...good, turn: { ...turn, words: { handoff: { to: { role: 'qa' }, summary: 'Test it.' } } } },
    verdict: 'handoff',
  },
  {
    title: '`$SAY release` and exit code 0',
    happened: { ...good, turn: { ...turn, words: { release: { reason: 'Later.' } } } },
    verdict: 'release',
  },
  {
    title: 'A script without a project ends with exit code 0, whatever it prints',
    happened: { ...good, isScript: true, work: undefined, turn: { ...turn, text: question } },
    verdict: 'complete',
  },
];

export const endings: readonly Ending[] = [...completed, ...ofTheAgent, ...ofTheWork, ...saidOnPurpose];

/** The table of the documentation. */
export function endingsTable(): string {
  const rows = endings.map(({ title, verdict, isRetryable }) => `| ${title} | ${wordsOf(verdict, isRetryable)} |`);
  return ['| what happened | verdict |', '|---|---|', ...rows].join('\n');
}

function wordsOf(verdict: Verdict['kind'], isRetryable = false): string {
  if (verdict !== 'fail') return verdict;
  return isRetryable ? 'fail, retryable' : 'fail';
}
