import { describe, expect, it } from '@jest/globals';
import { areBrief, emptySession, maxBytes, reservedBytes, withBatch } from './session.ts';

const batch = { fencingToken: 3, first: 1, count: 2, bytes: 10, isBrief: false };
const refusal = (field: string, constraint: string) =>
  expect.objectContaining({ code: 'conflict', violations: [expect.objectContaining({ field, constraint })] });

describe('a batch of entries', () => {
  const one = withBatch(emptySession, batch);
  const two = withBatch(one, { ...batch, first: 3, count: 1 });

  it('goes behind the last one, and is counted', () => {
    expect(one).toEqual({ fencingToken: 3, nextEntry: 3, lastNumber: 2, bytes: 10, isFollowed: false });
    expect(two).toEqual({ fencingToken: 3, nextEntry: 4, lastNumber: 3, bytes: 20, isFollowed: false });
  });

  it('that is there already changes nothing', () => {
    expect(withBatch(two, batch)).toBe(two);
    expect(withBatch(two, { ...batch, first: 2 })).toBe(two);
  });

  it('of another lease begins with entry 1, behind what the task has', () => {
    expect(withBatch(two, { ...batch, fencingToken: 5 })).toMatchObject({ nextEntry: 3, lastNumber: 5 });
    expect(() => withBatch(two, { ...batch, fencingToken: 5, first: 4 })).toThrow(refusal('first', 'state'));
  });

  it('that leaves entries out, or has old and new ones, is refused', () => {
    expect(() => withBatch(two, { ...batch, first: 5 })).toThrow(refusal('first', 'state'));
    expect(() => withBatch(two, { ...batch, first: 3 })).toThrow(refusal('first', 'state'));
  });

  it('that its lease has no space for is refused', () => {
    const full = { ...two, bytes: maxBytes - reservedBytes - 9 };
    expect(() => withBatch(full, { ...batch, first: 4 })).toThrow(refusal('entries', 'limit'));
    expect(withBatch(full, { ...batch, first: 4, bytes: 9 }).bytes).toBe(maxBytes - reservedBytes);
  });

  it('of brief entries has space that is reserved for it', () => {
    const full = { ...two, bytes: maxBytes - 10 };
    expect(withBatch(full, { ...batch, first: 4, isBrief: true }).bytes).toBe(maxBytes);
    expect(() => withBatch(full, { ...batch, first: 4, bytes: 11, isBrief: true })).toThrow(
      refusal('entries', 'limit'),
    );
  });

  it('of the next lease has all the space again, however full the last one was', () => {
    const full = { ...two, bytes: maxBytes };
    expect(withBatch(full, { ...batch, fencingToken: 5 })).toMatchObject({ bytes: 10, lastNumber: 5 });
  });
});

describe('brief entries', () => {
  it.each([
    [true, ['notice', 'question', 'permission', 'stop']],
    [false, ['notice', 'text']],
    [false, ['tool']],
  ])('%s: %j', (expected, kinds) => {
    expect(areBrief(kinds.map((kind) => ({ kind })))).toBe(expected);
  });
});
