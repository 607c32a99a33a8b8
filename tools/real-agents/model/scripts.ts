// The simulated model's actions, named by `SCRIPT:<name>` in the prompt.
import type { Conversation } from './conversation.ts';
import type { Step } from './steps.ts';

/** `memory`: of the script, for as long as the server runs. `request`: its text, which has what tools have printed. */
export type Memory = { requests: number; isDone?: boolean };
type Script = (conversation: Conversation, memory: Memory, request: string) => Step;

/** One step after the other; the last one is repeated. */
const steps =
  (...all: readonly Step[]): Script =>
  ({ steps: done }) =>
    all[Math.min(done, all.length - 1)] ?? { say: 'Done.' };

const write = (text: string): Step => ({ shell: `echo ${text} > hello.txt` });
const said: Step = { say: 'hello.txt is written.' };
const python = (code: string, timeoutMs?: number): Step => ({ shell: `python3 -c "${code}"`, timeoutMs });
const hang: Step = {
  shell: 'echo started > started.txt; python3 -c "import time; time.sleep(600)"',
  timeoutMs: 600_000,
};

/** A message of a person may come at any step: it is answered once, with a file. */
function message(conversation: Conversation, memory: Memory): Step {
  if (conversation.steps === 0) return python('import time; time.sleep(8)');
  if (memory.isDone || !conversation.prompt.includes('Be quick.')) return said;
  memory.isDone = true;
  return write('quick');
}

/** Hangs in its first life. */
function hangOnce(_conversation: Conversation, memory: Memory): Step {
  if (memory.requests === 1) return hang;
  if (memory.isDone) return said;
  memory.isDone = true;
  return write('hello');
}

/** Writes a draft, and something better when it is asked to in the same conversation. */
const toldBy =
  (words: string): Script =>
  (conversation, memory, request) => {
    if (!conversation.prompt.includes(words)) return steps(write('first-words'), said)(conversation, memory, request);
    // An agent that cannot go on with a session gets this text.
    if (conversation.steps < 2 && !conversation.prompt.includes('in a session that is gone'))
      return { say: 'I know nothing of this task.' };
    if (memory.isDone) return said;
    memory.isDone = true;
    return write('better-words');
  };

const verdict = (result: object): Step => ({ say: `I have looked.\n\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`` });
const rejection = { decision: 'reject', findings: [{ path: 'hello.txt', line: 1, body: 'Say it better.' }] };

/** The same script for an author and for a reviewer: the prompt says which of them it is. */
function reviewedWork(conversation: Conversation, memory: Memory, request: string): Step {
  if (!conversation.prompt.includes('They are copies to look at')) return author(conversation, memory, request);
  if (conversation.steps === 0) return { shell: 'cat hello.txt' };
  // By what it has seen of the files.
  if (request.includes('better-words')) return verdict({ decision: 'approve' });
  return request.includes('first-words') ? verdict(rejection) : { say: 'There is nothing to see.' };
}
const author = toldBy('Say it better.');

export const scripts: Readonly<Record<string, Script>> = {
  commit: steps(write('hello'), said),
  'own-commit': steps({ shell: 'echo hello > hello.txt && git add . && git commit -qm "Add hello"' }, said),
  'no-change': steps(said),
  collect: steps(
    { shell: 'cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n" > collected.txt; env >> collected.txt' },
    write('hello'),
    write('more'),
    write('most'),
    write('again'),
    write('and again'),
    said,
  ),
  gathered: steps(
    { shell: 'pwd > waiting.txt; until [ -e go.txt ]; do sleep 0.2; done' },
    write('hello'),
    write('more'),
    write('most'),
    write('again'),
    said,
  ),
  question: steps({ say: 'There are two files of that name. Which one do you mean?' }, write('asked'), said),
  elicitation: steps({ ask: { question: 'Which colour?', options: ['red', 'blue'] } }, write('asked'), said),
  repair: steps(write('bad'), said, write('good'), { say: 'Mended.' }),
  limit: steps(
    { shell: 'echo "export const isAllowed = (attempts) => attempts < 7;" > limit.js' },
    { say: 'Login attempts are limited.' },
    { shell: 'echo "export const isAllowed = (attempts) => attempts <= 5;" > limit.js' },
    { say: 'The sixth attempt is refused now.' },
  ),
  two: steps({ shell: 'for folder in */; do echo hello > "$folder/hello.txt"; done' }, said),
  long: steps(python("import time; time.sleep(90); open('hello.txt', 'w').write('hello')", 120_000), said),
  flood: steps(
    { shell: 'head -c 1000000000 /dev/zero | tr "\\0" x; echo hello > hello.txt', timeoutMs: 120_000 },
    said,
  ),
  hang: steps(hang, said),
  'hang-once': hangOnce,
  message,
  checked: toldBy('Find the cause and mend it'),
  reviewed: reviewedWork,
  429: () => ({ status: 429, message: 'Rate limit reached.' }),
  500: () => ({ status: 500, message: 'The server had an error.' }),
  cut: () => ({ cut: true }),
  overflow: () => ({ status: 400, message: 'prompt is too long: 300000 tokens > 200000 maximum' }),
};
