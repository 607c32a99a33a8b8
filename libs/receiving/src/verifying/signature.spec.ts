import { describe, expect, it } from '@jest/globals';
import { sign } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { findSigner, parseSignature, signingKey } from './signature.ts';

const candidates = ['first secret', 'second secret é'].map((secret) => ({ secret, key: signingKey(secret) }));
const signatureOf = async (secret: string, body: string) =>
  parseSignature((await sign(secret, body)).slice('sha256='.length)) as Buffer;

describe.each([
  ['small', '{"event":"taskCreated","task_id":"c0j"}'],
  ['large', 'é'.repeat(100_000)],
])('findSigner, for a %s body', (_name, body) => {
  it('finds the candidate that a foreign implementation signed with', async () => {
    for (const candidate of candidates)
      expect(await findSigner(candidates, Buffer.from(body), await signatureOf(candidate.secret, body))).toBe(
        candidate,
      );
  });

  it('finds no candidate for another body, another secret or an empty list', async () => {
    const signature = await signatureOf('first secret', body);
    expect(await findSigner(candidates, Buffer.from(`${body} `), signature)).toBeUndefined();
    expect(await findSigner(candidates, Buffer.from(body), await signatureOf('third', body))).toBeUndefined();
    expect(await findSigner([], Buffer.from(body), signature)).toBeUndefined();
  });
});

describe('parseSignature', () => {
  it('takes 64 hexadecimal digits and nothing else', () => {
    expect(parseSignature('0aF9'.repeat(16))).toEqual(Buffer.from('0af9'.repeat(16), 'hex'));
    for (const wrong of [undefined, '', '0'.repeat(63), '0'.repeat(65), `${'0'.repeat(63)}g`, `${'0'.repeat(64)}\n`])
      expect(parseSignature(wrong)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => expect(parseSignature(text)).toBeUndefined()));
  });
});
