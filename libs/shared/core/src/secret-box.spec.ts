import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSecretBox, type SealedCell } from './secret-box.ts';

const newKey = () => randomBytes(32).toString('base64');
const cell: SealedCell = { tenantId: 'tnt_1', table: 'endpoints', column: 'secret', rowId: 'whk_1' };
const box = createSecretBox([newKey()]);

describe('a secret box', () => {
  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (plain) => {
        expect(box.open(box.seal(plain, cell), cell)).toBe(plain);
      }),
    );
  });

  it('never seals the same text the same way and never shows it', () => {
    const sealed = [box.seal('open sesame', cell), box.seal('open sesame', cell)];
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(Buffer.from(sealed[0]?.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('sesame');
  });

  it.each(['tenantId', 'table', 'column', 'rowId'] as const)('does not open a value moved to another %s', (part) => {
    const sealed = box.seal('plain', cell);
    expect(() => box.open(sealed, { ...cell, [part]: `${cell[part]}x` })).toThrow();
  });

  it('keeps the parts of a cell apart', () => {
    const sealed = box.seal('plain', { ...cell, table: 'a', column: 'bc' });
    expect(() => box.open(sealed, { ...cell, table: 'ab', column: 'c' })).toThrow();
  });

  it('notices any changed character', () => {
    const sealed = box.seal('a text of some length', cell);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'AZaz09-_.'), (at, char) => {
        const changed = sealed.slice(0, at) + char + sealed.slice(at + 1);
        const bytes = (text: string) => Buffer.from(text.split('.').slice(2).join(), 'base64url');
        // The last character of a part may hold bits that mean nothing.
        fc.pre(changed !== sealed && (at < 12 || !bytes(changed).equals(bytes(sealed))));
        expect(() => box.open(changed, cell)).toThrow();
      }),
    );
  });

  it.each(['', 'v1', 'v1.a.b', 'plain text', 'v2.a.b.c'])('refuses %p', (text) => {
    expect(() => box.open(text, cell)).toThrow('unknown version or key');
  });

  it('refuses a tag that was cut short', () => {
    const [version, id, nonce, text] = box.seal('', cell).split('.');
    const cut = Buffer.from(text ?? '', 'base64url')
      .subarray(0, 4)
      .toString('base64url');
    expect(() => box.open([version, id, nonce, cut].join('.'), cell)).toThrow();
  });
});

describe('the keys of a secret box', () => {
  const [old, young] = [newKey(), newKey()];

  it('seals with the first and opens with all, so that keys can be rotated', () => {
    const sealedBefore = createSecretBox([old]).seal('kept', cell);
    const rotated = createSecretBox([young, old]);
    expect(rotated.open(sealedBefore, cell)).toBe('kept');
    expect(createSecretBox([young]).open(rotated.seal('new', cell), cell)).toBe('new');
  });

  it('does not open what a removed key sealed', () => {
    const sealed = createSecretBox([old]).seal('lost', cell);
    expect(() => createSecretBox([young]).open(sealed, cell)).toThrow('unknown version or key');
  });

  it.each([
    ['no key', []],
    ['a short key', [randomBytes(31).toString('base64')]],
    ['a long key', [randomBytes(33).toString('base64')]],
    ['an empty key beside a good one', [newKey(), '']],
  ])('refuses %s', (_, keys) => expect(() => createSecretBox(keys)).toThrow(/key/));
});
