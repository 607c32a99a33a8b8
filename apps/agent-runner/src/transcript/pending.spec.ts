import type { NewSessionEntry } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMask } from '../key/mask.ts';
import { createPending } from './pending.ts';

const text = (said: string, message_id = 'm1'): NewSessionEntry => ({ kind: 'text', text: said, message_id });
const tool = (more: object): NewSessionEntry => ({ kind: 'tool', id: 'c1', ...more });

function pendingOf(entries: readonly NewSessionEntry[], secrets: readonly string[] = []) {
  const pending = createPending(createMask(secrets));
  entries.forEach(pending.add);
  return pending;
}

describe('entries that wait to be sent', () => {
  it('are parts of a message put together, and the latest of a tool call', () => {
    const pending = pendingOf([
      text('I '),
      text('run '),
      tool({ title: 'npm test', status: 'pending' }),
      text('it.', 'm2'),
      tool({ status: 'completed', output: 'ok' }),
    ]);
    expect(pending.take(true).entries).toEqual([
      text('I run '),
      tool({ title: 'npm test', status: 'completed', output: 'ok' }),
      text('it.', 'm2'),
    ]);
    expect(pending.isEmpty()).toBe(true);
  });

  it('of a tool call that was sent say only what is new', () => {
    const pending = pendingOf([tool({ title: 'npm test' })]);
    pending.take(false);
    pending.add(tool({ status: 'completed' }));
    expect(pending.take(true).entries).toEqual([tool({ status: 'completed' })]);
  });

  it('of a tool call replace all its changes by later ones', () => {
    const diff = (path: string) => ({ path, old_text: '', new_text: '' });
    const pending = pendingOf([tool({ diff: diff('a'), more_diffs: [diff('b')] }), tool({ output: 'ok' })]);
    expect(pending.take(false).entries).toEqual([tool({ diff: diff('a'), more_diffs: [diff('b')], output: 'ok' })]);
    pending.add(tool({ diff: diff('a'), more_diffs: [diff('b')] }));
    pending.add(tool({ diff: diff('c') }));
    expect(pending.take(true).entries).toEqual([tool({ diff: diff('c') })]);
  });

  it('are sent in parts that the service accepts', () => {
    const pending = pendingOf(Array.from({ length: 450 }, (_, n) => text(`${n}`, `m${n}`)));
    expect([1, 2, 3].map(() => pending.take(true).entries.length)).toEqual([200, 200, 50]);
    const large = pendingOf(Array.from({ length: 10 }, (_, n) => text('x'.repeat(30_000), `m${n}`)));
    for (let rest = 10; rest > 0;) {
      const taken = large.take(true).entries;
      expect(Buffer.byteLength(JSON.stringify(taken))).toBeLessThan(200_000);
      rest -= taken.length;
    }
  });

  it('are few, however much comes: the oldest go, and a notice says how many', () => {
    const pending = pendingOf(Array.from({ length: 1_000 }, (_, n) => text('x'.repeat(10_000), `m${n}`)));
    const taken: NewSessionEntry[] = [];
    while (!pending.isEmpty()) taken.push(...pending.take(true).entries);
    const [notice, ...kept] = taken;
    expect(notice).toEqual({ kind: 'notice', text: `${1_000 - kept.length} entries were left out.` });
    expect(kept.length).toBeLessThan(70);
    expect(kept.at(-1)).toMatchObject({ message_id: 'm999' });
  });

  it('show no secret, in whichever field and however it is cut', () => {
    const secret = 'sk-0123456789';
    const pending = pendingOf(
      [
        tool({ title: `curl -H ${secret}`, output: secret, diff: { path: 'a', old_text: secret, new_text: secret } }),
        { kind: 'plan', steps: [{ text: secret, status: 'pending' }] },
        { kind: 'stop', reason: secret },
      ],
      [secret],
    );
    const taken = pending.take(true).entries;
    expect(JSON.stringify(taken)).not.toContain('0123');
    expect(JSON.stringify(taken).match(/\*\*\*/g)).toHaveLength(6);

    const pieces = fc.array(
      fc.oneof(fc.constantFrom(...secret.split('')), fc.constantFrom(secret, 'sk-0', 'x ', 'x'.repeat(16_380))),
    );
    fc.assert(
      fc.property(pieces, fc.array(fc.boolean()), (parts, sends) => {
        const streamed = createPending(createMask([secret]));
        const seen: NewSessionEntry[] = [];
        parts.forEach((part, at) => {
          streamed.add(text(part));
          if (sends[at] ?? true) seen.push(...streamed.take(false).entries);
        });
        seen.push(...streamed.take(true).entries);
        const said = seen.map((entry) => (entry.kind === 'text' ? entry.text : '')).join('');
        expect(said).toBe(parts.join('').replaceAll(secret, '***'));
      }),
    );
  });

  it('show no secret that spans two parts of a long message, nor one within another', () => {
    const [secret, other] = ['sk-0123456789', '456789abcdef'];
    const said = (...parts: string[]) => {
      const pending = createPending(createMask([secret, other]));
      for (const part of parts) pending.add(text(part));
      const taken = [...pending.take(false).entries, ...pending.take(true).entries];
      return taken.map((entry) => (entry.kind === 'text' ? entry.text : ''));
    };
    const long = 'x'.repeat(32_768 - 5);
    expect(said(`${long}sk-01`, '23456789')).toEqual([long, '***']);
    expect(said(long, 'sk-0123456789')).toEqual([long, '***']);
    expect(said(`${long}sk-0123456789${long}`).join('')).toBe(`${long}***${long}`);
    expect(said('sk-0123456789', '').join('')).toBe('***');
    for (const part of said('😀'.repeat(30_000))) expect(part.isWellFormed()).toBe(true);
  });
});
