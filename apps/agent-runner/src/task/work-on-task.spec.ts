import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Directive } from '@eas/contracts';
import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import type { Call } from '../api/api.ts';
import { at, leaseWaits, taskId, useClaims } from './claim-scene.fixture.ts';

const { scene, workspace } = useClaims();
const answerDirective = (n: number, text: string): Directive => ({
  id: `dir_${n}`,
  kind: 'answer',
  input_id: `inp_${n}`,
  answer: text,
  created_at: at(0),
});
const message = (n: number, content: string): Directive => ({
  id: `dir_${n}`,
  kind: 'message',
  content,
  author: 'usr_1',
  created_at: at(0),
});

const leftAfter = (resumed: number) => ({
  held: { agentId: 'agt_1', leaseId: 'lse_1', fencingToken: 1, resumed },
  hasWaited: false,
});

/** Copies the first line of its stdin to a file. */
const keepFirstLine = 'read -r first; printf %s "$first" > first.json';

describe('a claim that brings directives', () => {
  it('hands them to the command in its first line and its inbox, once each', async () => {
    const directives = [message(1, 'Be quick.'), message(2, 'Be kind.')];
    const exec = `${keepFirstLine}; sleep 0.1; : > rest.txt; cat > rest.txt <&0 & sleep 0.3`;
    const { work, lines, read, bodies } = scene(exec, { directives });
    await work.done;
    expect(lines.join('\n')).not.toMatch(/not handed over/);
    const first = JSON.parse(read('work/first.json')) as { directives: Directive[] };
    expect(first.directives).toMatchObject([{ content: 'Be quick.' }, { content: 'Be kind.' }]);
    expect(JSON.parse(read('inbox/0002-message.json'))).toMatchObject({ content: 'Be kind.' });
    expect(read('work/rest.txt')).toBe('');
    expect(bodies('acknowledge')).toEqual([{ fencing_token: 1, directive_ids: ['dir_1', 'dir_2'] }]);
  });

  it('keeps answers to questions of an earlier attempt out of the inbox: the context has them', async () => {
    const inbox = join(workspace(), taskId, 'inbox');
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, '0001-answer.json'), '{"answer":"of the attempt before"}');
    const answers = [
      {
        input_id: 'inp_1',
        kind: 'question',
        prompt: 'Which?',
        answer: 'old',
        content: null,
        decision: null,
        comment: null,
      },
    ];
    const { work, read, bodies } = scene(keepFirstLine, {
      directives: [answerDirective(1, 'old')],
      context: { attempt: 2, answers },
    });
    await work.done;
    expect(readdirSync(inbox)).toEqual([]);
    expect(JSON.parse(read('work/first.json'))).toMatchObject({ directives: [], context: { attempt: 2, answers } });
    expect(bodies('acknowledge')).toEqual([{ fencing_token: 1, directive_ids: ['dir_1'] }]);
  });
});

describe('a command that asks and ends', () => {
  const input = { id: 'inp_1', kind: 'question', prompt: 'Which branch?', blocking: true };
  const again = {
    run: 2,
    context: {
      attempt: 1,
      answers: [{ input_id: 'inp_1', kind: 'question', prompt: 'Which branch?', answer: 'main', decision: null }],
    },
    directives: [{ kind: 'answer', answer: 'main' }],
  };
  /** `afterAsking`: what the first run does once it has asked; the second one keeps its first line. */
  const exec = (afterAsking: string) => `
    read -r line; case "$line" in
      *'"run":1'*) echo "$SAY"' ask {"kind":"question","prompt":"Which branch?"}'; ${afterAsking};;
      *) printf %s "$line" > again.json;;
    esac`;

  /** Says that the question is answered as soon as `isAnswered` holds. */
  function answering(isAnswered: () => boolean) {
    let isAsked = false;
    return ({ path }: Call) => {
      if (path.endsWith('/inputs')) isAsked = true;
      if (path.endsWith('/inputs')) return { expires_at: null, input };
      if (!isAsked) return {};
      return isAnswered() ? { directives: [answerDirective(1, 'main')] } : { expires_at: null };
    };
  }

  it('runs again with the answer in its context, in the same attempt', async () => {
    const { work, read, lines } = scene(
      exec('exit 0'),
      {},
      answering(() => lines.join().includes('waiting for a person')),
    );
    await work.done;
    expect(JSON.parse(read('work/again.json'))).toMatchObject(again);
  });

  it('fails, to be tried again, when runners were killed over it too often', async () => {
    const { work, bodies, lines } = scene(exec('exit 0'), { left: leftAfter(5) });
    await work.done;
    expect(bodies('fail')).toMatchObject([
      { retryable: true, reason: expect.stringContaining('killed again and again') },
    ]);
    expect(lines[0]).toContain('resumed');
  });

  it('may be resumed as often as at first from its question on', async () => {
    let isAnswered = false;
    const { work, read } = scene(
      exec('exit 0'),
      { left: leftAfter(3) },
      answering(() => isAnswered),
    );
    await eventually(() => existsSync(join(workspace(), taskId, 'lease.json')));
    await eventually(() => (JSON.parse(read('lease.json')) as { resumed: number }).resumed === 0);
    isAnswered = true;
    await work.done;
  });

  it('runs again also when the answer came before its end and it did not receive it', async () => {
    const { work, read } = scene(
      exec('while [ ! -e "$TASK_DIR/inbox/0001-answer.json" ]; do sleep 0.02; done'),
      { closesStdin: true },
      answering(() => true),
    );
    await work.done;
    expect(JSON.parse(read('work/again.json'))).toMatchObject(again);
  });
});

describe('a command that fails', () => {
  it('is logged with its exit code and the last lines of its stderr', async () => {
    const { work, lines } = scene('printf "one\\ntwo\\033[31m\\n" >&2; exit 7');
    await work.done;
    const text = lines.join('\n');
    expect(text).toContain('the command ended: exit code 7');
    expect(text).toContain('stderr: one');
    expect(text).toContain('stderr: two');
  });
});

describe('a marked line that cannot be used', () => {
  it.each([
    ['scores {"code_quality":900}', 'code_quality'],
    ['scores {"quality":9}', 'quality'],
    ['handoff {"to":{}}', 'to'],
    ['release {"reason":7}', 'reason'],
  ])('%s is refused as soon as it is said, and the task still completes', async (line, field) => {
    const { work, bodies } = scene(
      `read -r task; echo "$SAY"' ${line}'; read -r refused; printf %s "$refused" > refused.json; echo "$SAY comment $refused"`,
    );
    await work.done;
    const [comment] = bodies('progress') as { comment: string }[];
    const refused = { kind: 'refused', line: expect.stringMatching(/^::[0-9a-f]{16} /) };
    expect(JSON.parse(comment?.comment ?? '{}')).toMatchObject(refused);
    expect(comment?.comment).toContain(field);
    expect(bodies('complete')).toHaveLength(1);
  });
});

describe('what the runner writes', () => {
  it('is for its own user alone', async () => {
    const { work } = scene('true');
    await work.done;
    const modeOf = (...path: string[]) => (statSync(join(workspace(), taskId, ...path)).mode & 0o777).toString(8);
    expect([modeOf(), modeOf('work'), modeOf('inbox')]).toEqual(['700', '700', '700']);
    expect([modeOf('task.json'), modeOf('output.log')]).toEqual(['600', '600']);
  });
});

describe('a runner that ends', () => {
  const leaseFile = () => join(workspace(), taskId, 'lease.json');
  it.each([
    ['gives the task back, and it is not resumed', false, /release$/],
    ['leaves a question to a later runner whose response it had not yet', true, /waiting for a person$/],
  ])('%s', async (_, isAsked, last) => {
    const { work, lines, cut, bodies } = scene('touch begun; sleep 300', {}, ({ path }) =>
      isAsked && path.endsWith('/release') ? leaseWaits : {},
    );
    await eventually(() => existsSync(join(workspace(), taskId, 'work/begun')));
    expect(existsSync(leaseFile())).toBe(true);
    cut.abort();
    await work.done;
    expect(bodies('release')).toHaveLength(1);
    expect([existsSync(leaseFile()), lines.at(-1)]).toEqual([isAsked, expect.stringMatching(last)]);
  });
});
