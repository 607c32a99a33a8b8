// How tasks can end with an agent.
import { cancelInTool, killRunner, messageInTurn } from './interruptions.ts';
import { outOfBudget, sharedBudget } from './budget.ts';
import { redChecks, reviewed } from './sent-back.ts';
import { asks, completes, type Ending, fails, permits } from './ways.ts';

const goodFile = [{ name: 'tests', command: 'grep -q good hello.txt', timeout_seconds: 60 }];
const noPermission = 'it asks only for what its own sandbox does not allow';
const noForm = 'it asks people in its last message only';

export const endings: readonly Ending[] = [
  { name: 'commit', seconds: 120, run: completes('commit') },
  { name: 'own commit', seconds: 120, run: completes('own-commit') },
  {
    name: 'denied',
    seconds: 120,
    run: fails('commit', /not allowed to use|changed nothing/, {
      flags: ['--deny', 'execute', '--deny', 'edit'],
      flagsOf: { codex: ['--mode', 'read-only'] },
    }),
  },
  { name: 'no change', seconds: 120, run: fails('no-change', /changed nothing/) },
  { name: 'question', seconds: 120, run: asks('question', 'The first.') },
  {
    name: 'form',
    seconds: 120,
    not: { codex: noForm, gemini: noForm, opencode: noForm },
    run: asks('elicitation', 'blue'),
  },
  { name: 'permission', seconds: 120, not: { codex: noPermission }, run: permits() },
  { name: 'late permission', seconds: 120, not: { codex: noPermission }, run: permits(10) },
  { name: 'red, then green', seconds: 180, run: completes('repair', 'good', { checks: goodFile }) },
  { name: 'command of 90 s', seconds: 240, run: completes('long') },
  {
    name: '1 GB of output',
    seconds: 240,
    not: { gemini: 'its context is full after 8 minutes: max_tokens, and the task is not completed' },
    run: completes('flood'),
  },
  { name: 'cancel in a tool', seconds: 120, run: cancelInTool },
  { name: 'message in a turn', seconds: 180, run: messageInTurn },
  {
    name: 'model: 429',
    seconds: 600,
    // Qwen Code tries again for about 40 minutes.
    run: fails('429', /agent failed|did not end within/, { flagsOf: { qwen: ['--timeout', '90'] } }),
  },
  { name: 'model: 500', seconds: 600, run: fails('500', /agent failed/) },
  { name: 'model: cut', seconds: 600, run: fails('cut', /agent failed|changed nothing/) },
  { name: 'context overflow', seconds: 300, run: fails('overflow', /agent failed|changed nothing/) },
  { name: 'budget', seconds: 120, run: outOfBudget },
  { name: 'budget of two runners', seconds: 180, run: sharedBudget },
  { name: 'kill -9 of the runner', seconds: 180, run: killRunner },
  { name: 'red checks', seconds: 180, run: redChecks },
  { name: 'reviewed by an agent', seconds: 240, run: reviewed },
  { name: 'two repositories', seconds: 120, run: completes('two', 'hello', { count: 2 }) },
];
