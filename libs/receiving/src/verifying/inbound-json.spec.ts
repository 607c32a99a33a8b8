import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseInboundJson } from './inbound-json.ts';

const nested = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
const refused = (raw: Buffer) => expect(() => parseInboundJson(raw)).toThrow(AppError);

describe('parseInboundJson', () => {
  it('gives the object and the text as it came', () => {
    const text = '{"a" : "é\\u00e9"}';
    expect(parseInboundJson(Buffer.from(text))).toEqual({ text, bytes: Buffer.from(text), body: { a: 'éé' } });
  });

  it('drops a byte order mark from the text that is kept', () => {
    const text = '{"a":1}';
    expect(parseInboundJson(Buffer.from(`\uFEFF${text}`))).toEqual({ text, bytes: Buffer.from(text), body: { a: 1 } });
    refused(Buffer.from('\uFEFF\uFEFF{"a":1}'));
  });

  it.each(['', ' ', '{', '[]', 'null', '"text"', '7', 'a=b', '{"a":1}}'])(
    'refuses %j, which is no JSON object',
    (text) => refused(Buffer.from(text)),
  );

  it('refuses bytes that are not UTF-8', () => refused(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])));

  it.each(['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":"\\ud800"}', '{"a":["\\udc00x"]}'])(
    'refuses %s, which the database cannot hold',
    (text) => refused(Buffer.from(text)),
  );

  it('takes a pair of surrogates', () => {
    expect(parseInboundJson(Buffer.from('{"a":"\\ud83d\\ude00"}')).body).toEqual({ a: '😀' });
  });

  it('takes 32 levels and refuses more, however deep', () => {
    expect(parseInboundJson(nested(32)).body).toBeDefined();
    refused(nested(33));
    refused(nested(200_000));
  });

  it('counts levels, not brackets', () => {
    expect(parseInboundJson(Buffer.from(`{"a":[${'[],'.repeat(100)}"[[["]}`)).body).toBeDefined();
  });

  it('throws nothing but AppError, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from), fc.string().map(Buffer.from)), (bytes) => {
        try {
          parseInboundJson(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
