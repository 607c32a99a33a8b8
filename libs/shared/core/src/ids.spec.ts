import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type IdKind, idLowerBound, idPrefixes, idTimeMs, isId, newId } from './ids.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const kind = fc.constantFrom(...kinds);
const lastMomentMs = 2 ** 48 - 1;

describe('newId', () => {
  it('grows strictly, also within a millisecond, over more ids than the random source holds at a time', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('task'));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('contains the time of its creation', () => {
    const before = Date.now();
    const id = newId('event');
    // An id made just before in the same process may have pushed this one ahead by less than a millisecond.
    expect(idTimeMs(id)).toBeGreaterThanOrEqual(before);
    expect(idTimeMs(id)).toBeLessThanOrEqual(Date.now());
  });

  it('contains the time that it was given, and grows even if that time repeats or goes back', () => {
    const atMs = Date.now() + 3_600_000;
    const ids = [atMs, atMs, atMs + 5, atMs + 1].map((moment) => newId('task', moment));
    expect(ids.map((id) => idTimeMs(id) - atMs)).toEqual([0, 0, 5, 5]);
    expect(ids).toEqual([...ids].sort());
    // Ids of the current time are not affected.
    expect(idTimeMs(newId('task'))).toBeLessThan(atMs);
  });

  it('has the right time again after the clock was hours ahead', () => {
    const atMs = Date.now() - 60_000;
    const ahead = newId('task', Date.now() + 10_800_000);
    const ids = [newId('task', atMs), newId('task', atMs - 500)];
    expect(ids.map((id) => idTimeMs(id) - atMs)).toEqual([0, 0]);
    expect(ids).toEqual([...ids].sort());
    expect(ids[0] && ids[0] < ahead).toBe(true);
  });

  it('uses the whole alphabet about evenly in its random part', async () => {
    const counts = new Map<string, number>();
    for (let moment = 0; moment < 300; moment += 1) {
      // A new millisecond draws all of its random characters again.
      const until = Date.now() + 1;
      while (Date.now() < until) await Promise.resolve();
      for (const char of newId('lease').slice(-16)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(75);
      expect(count).toBeLessThan(250);
    }
  });
});

describe('isId', () => {
  it('accepts ids of its kind and no others', () => {
    fc.assert(
      fc.property(kind, kind, (made, asked) => expect(isId(asked, newId(made))).toBe(made === asked)),
      { numRuns: 400 },
    );
  });

  it('keeps the kinds apart: no prefix is used twice', () => {
    expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'tsk_'],
    ['capitals', 'tsk_01KS0000000000000000000000'],
    ['a letter outside the alphabet', 'tsk_01ks000000000000000000000u'],
    ['a time beyond 48 bits', 'tsk_81ks0000000000000000000000'],
    ['one character too many', 'tsk_01ks00000000000000000000000'],
    ['one character too few', 'tsk_01ks000000000000000000000'],
    ['a line break at the end', 'tsk_01ks0000000000000000000000\n'],
  ])('refuses %s', (_, text) => expect(isId('task', text)).toBe(false));

  it('refuses any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(isId('task', text)).toBe(false)));
  });
});

describe('idLowerBound', () => {
  it('is at or below every id of its moment and above every id of an earlier one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: lastMomentMs }), (atMs) => {
        const bound = idLowerBound('event', atMs);
        expect(bound <= `${bound}0000000000000000`).toBe(true);
        expect(`${idLowerBound('event', atMs - 1)}zzzzzzzzzzzzzzzz` < bound).toBe(true);
        expect(idTimeMs(`${bound}0000000000000000`)).toBe(atMs);
      }),
    );
  });

  it('bounds a real id from both sides', () => {
    const id = newId('event');
    expect(idLowerBound('event', idTimeMs(id)) <= id).toBe(true);
    expect(id < idLowerBound('event', idTimeMs(id) + 1)).toBe(true);
  });
});
