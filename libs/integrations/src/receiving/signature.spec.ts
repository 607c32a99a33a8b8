import { describe, expect, it } from '@jest/globals';
import { sign } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { findSigner, signingKey } from './signature.ts';

const candidates = ['first secret', 'second secret é'].map((secret) => ({ secret, key: signingKey(secret) }));
const hexOf = async (secret: string, body: string) => (await sign(secret, body)).slice('sha256='.length);

describe('findSigner', () => {
  it('finds the candidate that a foreign implementation signed with', async () => {
    const body = '{"event":"taskCreated","task_id":"c0j"}';
    for (const candidate of candidates)
      expect(findSigner(candidates, Buffer.from(body), await hexOf(candidate.secret, body))).toBe(candidate);
  });

  it('finds nobody for another body, another secret or no signature at all', async () => {
    const signature = await hexOf('first secret', 'body');
    expect(findSigner(candidates, Buffer.from('body '), signature)).toBeUndefined();
    expect(findSigner(candidates, Buffer.from('body'), await hexOf('third', 'body'))).toBeUndefined();
    expect(findSigner([], Buffer.from('body'), signature)).toBeUndefined();
  });

  it('takes any text for a signature without failing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => expect(findSigner(candidates, Buffer.from('x'), text)).toBeUndefined()),
    );
  });
});
