import { sessionEntriesBody } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AgentEvent } from './event.ts';
import { entryOf } from './session-entry.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom('', '\0', '\ud800', 'x'.repeat(70_000), '\udc00'.repeat(3_000)),
);
const anyOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom('text', 'thought'), text: anyText, messageId: anyOr(anyText) }),
  fc.record({
    kind: fc.constant('tool'),
    id: anyText,
    type: anyOr(anyText),
    name: anyOr(anyText),
    title: anyOr(anyText),
    status: anyOr(anyText),
    diffs: anyOr(fc.array(fc.record({ path: anyText, oldText: anyText, newText: anyText }), { maxLength: 30 })),
    output: anyOr(anyText),
  }),
  fc.record({
    kind: fc.constant('plan'),
    entries: fc.array(fc.record({ text: anyText, status: anyText }), { maxLength: 150 }),
  }),
  fc.record({
    kind: fc.constant('usage'),
    tokens: anyOr(fc.double()),
    cost: anyOr(fc.record({ amount: fc.double(), currency: anyText })),
  }),
  fc.record({ kind: fc.constant('permission'), tool: anyText, title: anyText, isAllowed: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('notice', 'prompt', 'question', 'session', 'stop'), text: anyText }),
) as never;

describe('an event of an agent', () => {
  it('is always an entry that the service takes, or none', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 1 }), (events) => {
        const entries = events.flatMap((event) => entryOf(event) ?? []);
        if (entries.length === 0) return;
        const { error } = sessionEntriesBody.safeParse({ fencing_token: 1, first: 1, entries });
        expect(error?.issues ?? []).toEqual([]);
        expect(JSON.stringify(entries)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });

  it('keeps what it says', () => {
    const tool = {
      kind: 'tool',
      id: 'c1',
      type: 'edit',
      name: undefined,
      title: 'Edit a.ts',
      status: 'completed',
    } as const;
    const diff = { path: 'a.ts', oldText: 'a', newText: 'b' };
    expect(entryOf({ ...tool, diffs: [diff], output: undefined })).toEqual({
      kind: 'tool',
      id: 'c1',
      type: 'edit',
      title: 'Edit a.ts',
      status: 'completed',
      diff: { path: 'a.ts', old_text: 'a', new_text: 'b' },
    });
    expect(entryOf({ ...tool, diffs: [diff, { ...diff, path: 'b.ts' }], output: undefined })).toMatchObject({
      diff: { path: 'a.ts' },
      more_diffs: [{ path: 'b.ts', old_text: 'a', new_text: 'b' }],
    });
    expect(entryOf({ kind: 'usage', tokens: 12, cost: { amount: 0.5, currency: 'USD' } })).toEqual({
      kind: 'usage',
      tokens: 12,
      cost: { amount: 0.5, currency: 'USD' },
    });
    expect(entryOf({ kind: 'session', text: 'resumed' })).toEqual({ kind: 'notice', text: 'resumed' });
  });
});
