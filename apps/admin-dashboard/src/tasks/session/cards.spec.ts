import { describe, expect, it } from '@jest/globals';
import { createAttempts } from './attempts.ts';
import { hasText, plainText, type SessionEntry } from './cards.ts';

let number = 0;
const entry = (fields: object, lease_id = 'lse_1'): SessionEntry =>
  ({
    number: (number += 1),
    at: '2026-11-20T10:00:00Z',
    lease_id,
    agent_id: 'agt_1',
    attempt: 4,
    ...fields,
  }) as SessionEntry;
function attemptsOf(entries: readonly SessionEntry[]) {
  const attempts = createAttempts();
  attempts.add(entries);
  return attempts.all();
}
const cardsOf = (...entries: SessionEntry[]) => attemptsOf(entries).flatMap(({ cards }) => cards);

describe('the cards of a session', () => {
  it('are a whole message each, made of its parts', () => {
    const say = (text: string, message_id: string) => entry({ kind: 'text', text, message_id });
    const cards = cardsOf(
      say('I ', 'm1'),
      say('run', 'm1'),
      say('Done', 'm2'),
      entry({ kind: 'thought', text: 'Hm', message_id: 'm2' }),
      say('.', 'm2'),
    );
    expect(cards.map((card) => [card.kind, 'text' in card && card.text])).toEqual([
      ['text', 'I run'],
      ['text', 'Done'],
      ['thought', 'Hm'],
      ['text', '.'],
    ]);
  });

  it('are a tool call each, at its start, with its latest state', () => {
    const cards = cardsOf(
      entry({ kind: 'tool', id: 'c1', title: 'npm test', status: 'in_progress' }),
      entry({ kind: 'text', text: 'wait' }),
      entry({ kind: 'tool', id: 'c1', status: 'failed', output: '1 failed' }),
    );
    expect(cards).toMatchObject([
      { kind: 'tool', id: 'c1', title: 'npm test', status: 'failed', output: '1 failed' },
      { kind: 'text', text: 'wait' },
    ]);
  });

  it('of a tool call have all its changes of files, and later ones replace them', () => {
    const diff = (path: string) => ({ path, old_text: '', new_text: 'x' });
    const patch = entry({ kind: 'tool', id: 'c1', diff: diff('a.ts'), more_diffs: [diff('b.ts')] });
    expect(cardsOf(patch, entry({ kind: 'tool', id: 'c1', status: 'completed' }))).toMatchObject([
      { status: 'completed', changes: [{ path: 'a.ts' }, { path: 'b.ts' }] },
    ]);
    expect(cardsOf(patch, entry({ kind: 'tool', id: 'c1', diff: diff('c.ts') }))).toMatchObject([
      { changes: [{ path: 'c.ts' }] },
    ]);
  });

  it('are grouped by attempt, with its last plan and its usage', () => {
    const attempts = attemptsOf([
      entry({ kind: 'plan', steps: [{ text: 'a', status: 'pending' }] }),
      entry({ kind: 'usage', tokens: 5, model: 'small' }),
      entry({ kind: 'plan', steps: [{ text: 'a', status: 'completed' }] }),
      entry({ kind: 'usage', tokens: 9 }),
      entry({ kind: 'tool', id: 'c1', status: 'pending' }),
      entry({ kind: 'tool', id: 'c1', status: 'completed' }, 'lse_2'),
    ]);
    expect(attempts).toMatchObject([
      { leaseId: 'lse_1', number: 4, plan: [{ status: 'completed' }], usage: { tokens: 9, model: 'small' } },
      { leaseId: 'lse_2', plan: [], usage: {}, cards: [{ status: 'completed' }] },
    ]);
    expect(attempts[0]?.cards).toMatchObject([{ status: 'pending' }]);
  });

  it('stay the same objects while unchanged, so that thousands are not rendered again', () => {
    const attempts = createAttempts();
    attempts.add([
      entry({ kind: 'tool', id: 'c1', status: 'pending' }),
      entry({ kind: 'notice', text: 'a' }),
      entry({ kind: 'text', text: 'I ', message_id: 'm1' }),
      entry({ kind: 'notice', text: 'b' }, 'lse_2'),
    ]);
    const [before, other] = attempts.all();
    attempts.add([
      entry({ kind: 'text', text: 'run', message_id: 'm1' }),
      entry({ kind: 'tool', id: 'c1', status: 'completed' }),
    ]);
    const [after, same] = attempts.all();
    expect(before?.cards).toMatchObject([{ status: 'pending' }, { text: 'a' }, { text: 'I ' }]);
    expect(after?.cards).toMatchObject([{ status: 'completed' }, { text: 'a' }, { text: 'I run' }]);
    expect(after?.cards[1]).toBe(before?.cards[1]);
    expect(same).toBe(other);
  });

  it('leave out kinds that the page does not know', () => {
    expect(cardsOf(entry({ kind: 'dance' }))).toEqual([]);
  });

  it('are found by a text in any of their fields', () => {
    const [card] = cardsOf(entry({ kind: 'tool', id: 'c1', title: 'grep "a\\b"', output: 'Found\nit' }));
    if (!card) throw new Error('no card');
    for (const text of ['grep', 'FOUND\nit', '"a\\b"']) expect([text, hasText(card, text)]).toEqual([text, true]);
    for (const text of ['tool', '2026', 'lost']) expect([text, hasText(card, text)]).toEqual([text, false]);
  });
});

describe('a text of a terminal', () => {
  it('is shown without colours and cursor moves', () => {
    expect(plainText('\u001b[1;31m red\u001b[0m\r\n\u001b]0;title\u0007a\u001b[2K\u001b[1Gb')).toBe(' red\nab');
  });
});
