import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import type { CallResult } from '../lease/lease-keeper.ts';
import { createMask } from '../key/mask.ts';
import { createTranscript } from './transcript.ts';

type Body = { first: number; entries: { text: string }[] };

/** A service that keeps what it gets; `respond` says how it responds. */
function scene(respond: (call: number) => CallResult | undefined = () => undefined) {
  const [bodies, lines]: [Body[], string[]] = [[], []];
  const call = async (verb: string, body: object): Promise<CallResult> => {
    expect(verb).toBe('session/entries');
    bodies.push(body as Body);
    const { first, entries } = body as Body;
    const done = { next: first + entries.length, is_followed: true };
    return respond(bodies.length) ?? { kind: 'done', body: done };
  };
  const transcript = createTranscript({ keeper: { call }, mask: createMask([]), log: (line) => void lines.push(line) });
  const say = (text: string) => transcript.add({ kind: 'notice', text });
  return {
    bodies,
    lines,
    transcript,
    say,
    said: () => bodies.flatMap(({ entries }) => entries.map(({ text }) => text)),
  };
}
const error = { code: 'conflict', message: 'It is full.', details: {}, request_id: 'r' } as const;

describe('the way of entries to the session', () => {
  it('goes by few calls, one after the other, each of which begins where the last one ended', async () => {
    const { bodies, transcript, say, said } = scene();
    const beganMs = performance.now();
    for (let n = 1; n <= 100; n += 1) {
      say(`${n}`);
      await sleep(4);
    }
    await transcript.end();
    expect(said()).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 1}`));
    // One in 150 ms, and what is left at the end.
    expect(bodies.length).toBeLessThanOrEqual(2 + (performance.now() - beganMs) / 148);
    let next = 1;
    for (const { first, entries } of bodies) {
      expect(first).toBe(next);
      next += entries.length;
    }
  });

  it('ends with what was not sent yet', async () => {
    const { transcript, say, said } = scene(() => ({ kind: 'done', body: { next: 2, is_followed: false } }));
    say('a');
    await eventually(() => said().length === 1);
    say('b');
    await transcript.end();
    expect(said()).toEqual(['a', 'b']);
    say('c');
    await sleep(20);
    expect(said()).toEqual(['a', 'b']);
  });

  it.each<[string, CallResult, string[]]>([
    ['is full', { kind: 'refused', error: error as never }, ['the session is not kept any longer: It is full.']],
    ['is lost', { kind: 'lost', reason: 'lost' }, []],
  ])('is over when the session %s', async (_title, result, logged) => {
    const { transcript, say, said, lines } = scene(() => result);
    say('a');
    await eventually(() => said().length === 1);
    say('b');
    await transcript.end();
    expect(said()).toEqual(['a']);
    expect(lines).toEqual(logged);
  });

  it('sends the output of a tool that prints without end ever more rarely, and the last of it', async () => {
    const { bodies, transcript } = scene();
    const printed = () => bodies.flatMap(({ entries }) => entries as object[]);
    for (let n = 1; n <= 100; n += 1) {
      transcript.add({ kind: 'tool', id: 'c1', status: 'in_progress', output: `line ${n}` });
      if (n === 1) await eventually(() => printed().length === 1);
    }
    await eventually(() => printed().length === 2);
    transcript.add({ kind: 'tool', id: 'c1', output: 'the end' });
    await transcript.end();
    expect(printed()).toEqual(
      ['line 1', 'line 100']
        .map((output) => ({ kind: 'tool', id: 'c1', status: 'in_progress', output }))
        .concat({
          kind: 'tool',
          id: 'c1',
          output: 'the end',
        } as never),
    );
  });

  it('says in a full session that it is full, and goes on with how the work ends', async () => {
    const full = { ...error, details: { field: 'entries', constraint: 'limit' } } as const;
    const { bodies, transcript, lines, said } = scene((call) =>
      call === 1 ? { kind: 'refused', error: full } : undefined,
    );
    const stop = { kind: 'stop', reason: 'end_turn' } as const;
    transcript.add({ kind: 'text', text: 'a' });
    transcript.add({ kind: 'question', text: 'Which?' });
    await eventually(() => said().includes('Which?') && bodies.length === 2);
    transcript.add({ kind: 'text', text: 'b' });
    transcript.add(stop);
    await transcript.end();
    expect(bodies.slice(1)).toEqual([
      {
        first: 1,
        entries: [
          { kind: 'notice', text: 'The session is full. Later entries are not kept.' },
          { kind: 'question', text: 'Which?' },
        ],
      },
      { first: 3, entries: [stop] },
    ]);
    expect(lines).toEqual(['the session is full']);
  });

  it('sends an older service the first change of a call alone', async () => {
    const older = { ...error, details: { field: 'entries.0.more_diffs', constraint: 'unknown_field' } } as const;
    const { bodies, transcript } = scene((call) => (call === 1 ? { kind: 'refused', error: older } : undefined));
    const diff = { path: 'a', old_text: '', new_text: '' };
    for (const id of ['c1', 'c2']) transcript.add({ kind: 'tool', id, diff, more_diffs: [diff] });
    await transcript.end();
    const known = { first: 1, entries: ['c1', 'c2'].map((id) => ({ kind: 'tool', id, diff })) };
    expect(bodies.slice(1)).toEqual([known]);
  });

  it('does not hold up the end of the work for long when the service is away', async () => {
    const transcript = createTranscript({
      keeper: { call: () => new Promise(() => {}) },
      mask: createMask([]),
      log: () => {},
    });
    transcript.add({ kind: 'notice', text: 'a' });
    expect(await Promise.race([transcript.end().then(() => 'ended'), sleep(60_000, 'late', { ref: false })])).toBe(
      'ended',
    );
  });
});
