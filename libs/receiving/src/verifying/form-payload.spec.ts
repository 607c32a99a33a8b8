import { leastHoldMs, maxHoldMs } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { payloadOf } from './form-payload.ts';

const form = 'application/x-www-form-urlencoded';
const textOf = (raw: string, type?: string) => payloadOf(Buffer.from(raw), type)?.toString();

describe('payloadOf', () => {
  it('decodes the field `payload` of a form as URLSearchParams does', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, fc.boolean(), (payload, other, isFirst) => {
        const fields: [string, string][] = [
          ['other', other],
          ['payload', payload],
        ];
        const params = new URLSearchParams(isFirst ? fields.reverse() : fields);
        expect(textOf(params.toString(), `${form}; charset=utf-8`)).toBe(params.get('payload'));
      }),
    );
  });

  it('leaves JSON as it is, also one that is sent as a form', () => {
    for (const type of [undefined, 'application/json', 'text/plain', form])
      expect(textOf('{"a":1}', type)).toBe('{"a":1}');
    expect(textOf('[1]', 'text/plain')).toBe('[1]');
  });

  it('recognises a form by its first field when its type is missing', () => {
    expect(textOf('payload=%7B%7D')).toBe('{}');
  });

  it('finds nothing in a form without the field', () => {
    for (const raw of ['', 'x=1', 'xpayload=1', 'payloads=1']) expect(textOf(raw, form)).toBeUndefined();
  });

  it('keeps a percent sign that encodes nothing', () => {
    expect(textOf('payload=%zz%4', form)).toBe('%zz%4');
  });

  it.each([
    ['all encoded', '%41'.repeat(1_747_000)],
    ['many fields', '&payload'.repeat(655_000)],
    ['the field in the middle of names', 'xpayload='.repeat(582_000)],
  ])('holds the event loop no longer than others may wait: %s', async (_name, body) => {
    const raw = Buffer.from(`payload=${body}`);
    expect(await leastHoldMs(async () => void payloadOf(raw, form))).toBeLessThanOrEqual(maxHoldMs);
  });
});
