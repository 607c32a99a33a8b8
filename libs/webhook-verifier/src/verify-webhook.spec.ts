import { createHmac } from 'node:crypto';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { standardKey } from './hmac.ts';
import { type VerifyOptions, verifyWebhook } from './verify-webhook.ts';

const at = new Date('2026-11-21T10:00:00.400Z');
const now = () => at;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const event = {
  event_type: 'task.completed',
  event_id: 'evt_1',
  timestamp: '2026-11-21T10:00:00Z',
  data: { a: 'Grüße 😀' },
};
const body = JSON.stringify(event);

/** The headers as the `standardwebhooks` package signs them. */
const standard = (text = body, key = secret, sentAt = at): Record<string, string> => ({
  'webhook-id': event.event_id,
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
  'webhook-signature': new Webhook(key).sign(event.event_id, sentAt, text),
});
const service = async (text = body, key = secret): Promise<Record<string, string>> => ({
  'X-Service-Signature': await octokitSign(key, text),
});
const verify = (
  headers: Record<string, string | string[]> | Headers,
  options: Partial<VerifyOptions> = {},
  bytes: string | Uint8Array = body,
) => verifyWebhook({ headers, body: bytes }, { secret, now, ...options });
const refused = (reason: string) => ({ ok: false, reason });
const changed = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('the Standard Webhooks headers', () => {
  it('are accepted as the standardwebhooks package signs them, with a body of text or bytes', async () => {
    expect(await verify(standard())).toEqual({ ok: true, event });
    expect(await verify(standard(), {}, new TextEncoder().encode(body))).toEqual({ ok: true, event });
    expect(await verify(new Headers(standard()))).toEqual({ ok: true, event });
  });

  it('are found whatever the case of their names, and may be arrays', async () => {
    const headers = Object.entries(standard()).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(await verify(Object.fromEntries(headers) as Record<string, string[]>)).toEqual({ ok: true, event });
  });

  it('are accepted if one of several signatures fits one of several secrets', async () => {
    const next = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const [old, latest] = [standard()['webhook-signature'], standard(body, next)['webhook-signature']];
    const both = { ...standard(), 'webhook-signature': `v1a,AAAA ${latest} ${old}` };
    expect(await verify(both)).toMatchObject({ ok: true });
    expect(await verify(both, { secret: next })).toMatchObject({ ok: true });
    expect(await verify(standard(), { secret: [next, secret] })).toMatchObject({ ok: true });
    expect(await verify(standard(), { secret: next })).toEqual(refused('bad_signature'));
  });

  it('use the bytes of a secret that is not whsec_ and base64', async () => {
    for (const text of ['correct horse battery ü', 'whsec_not base64!']) {
      const key = new Webhook(Buffer.from(text, 'utf8'), { format: 'raw' });
      const headers = { ...standard(), 'webhook-signature': key.sign(event.event_id, at, body) };
      expect(await verify(headers, { secret: text })).toMatchObject({ ok: true });
    }
  });

  it.each([
    [-301, 'too_old'],
    [-300, undefined],
    [300, undefined],
    [301, 'too_new'],
  ])('sent %s s from now: %s', async (seconds, reason) => {
    const headers = standard(body, secret, new Date(at.getTime() + seconds * 1_000));
    expect(await verify(headers)).toEqual(reason ? refused(reason) : { ok: true, event });
    expect(await verify(headers, { toleranceSeconds: 301 })).toEqual({ ok: true, event });
  });

  it('that are missing or malformed are refused with the reason', async () => {
    for (const name of Object.keys(standard())) {
      expect(await verify({ ...standard(), [name]: '' })).toEqual(refused('missing_header'));
    }
    expect(await verify(await service())).toEqual(refused('missing_header'));
    for (const timestamp of ['soon', '-1', '1.5', '1e9', ' 1', '9'.repeat(13)]) {
      expect(await verify({ ...standard(), 'webhook-timestamp': timestamp })).toEqual(refused('malformed_header'));
    }
    expect(await verify({ ...standard(), 'webhook-signature': 'v2,AAAA' })).toEqual(refused('malformed_header'));
    expect(await verify({ ...standard(), 'webhook-signature': 'v1,' })).toEqual(refused('bad_signature'));
  });

  it('are refused with any single bit changed in the body or in a header', async () => {
    const headers = standard();
    const texts = { ...headers, body };
    const places = Object.entries(texts).flatMap(([name, text]) =>
      Array.from({ length: Buffer.byteLength(text) * 8 }, (_, bit) => ({ name, bit })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), async ({ name, bit }) => {
        const other = changed(Buffer.from(texts[name as keyof typeof texts]), bit);
        const sent = name === 'body' ? headers : { ...headers, [name]: Buffer.from(other).toString('latin1') };
        expect(await verify(sent, {}, name === 'body' ? other : body)).toMatchObject({ ok: false });
      }),
      { numRuns: 500 },
    );
  });
});

describe('X-Service-Signature', () => {
  it("has GitHub's published value", async () => {
    const headers = {
      'x-service-signature': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    const options = { secret: "It's a Secret to Everybody", scheme: 'service' } as const;
    // The signature fits; the body is no event.
    expect(await verify(headers, options, 'Hello, World!')).toEqual(refused('malformed_body'));
    expect(await verify(headers, options, 'Hello, World?')).toEqual(refused('bad_signature'));
  });

  it('is accepted as @octokit/webhooks-methods signs, at any time, for any secret and text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.string({ unit: 'grapheme' }),
        async (key, note) => {
          const text = JSON.stringify({ ...event, data: { note } });
          const options = { secret: ['another', key], scheme: 'service', now: () => new Date(0) } as const;
          expect(await verify(await service(text, key), options, text)).toMatchObject({ ok: true });
          expect(await verify(await service(text, `${key}x`), options, text)).toEqual(refused('bad_signature'));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is refused when it is missing, malformed or changed by a bit', async () => {
    const scheme = 'service';
    expect(await verify(standard(), { scheme })).toEqual(refused('missing_header'));
    const [value = ''] = Object.values(await service());
    for (const bad of [value.toUpperCase(), value.slice(7), `${value}0`, `${value}, ${value}`]) {
      expect(await verify({ 'x-service-signature': bad }, { scheme })).toEqual(refused('malformed_header'));
    }
    for (let bit = 0; bit < value.length * 8; bit++) {
      const bad = Buffer.from(changed(Buffer.from(value), bit)).toString('latin1');
      expect(await verify({ 'x-service-signature': bad }, { scheme })).toMatchObject({ ok: false });
    }
  });
});

describe('verifyWebhook', () => {
  it('refuses a signed body that is no event', async () => {
    for (const text of ['', 'null', '[]', '{}', '{', JSON.stringify({ ...event, data: [] })]) {
      expect(await verify(standard(text), {}, text)).toEqual(refused('malformed_body'));
    }
    const latin1 = Buffer.from(body, 'latin1');
    const headers = { 'x-service-signature': `sha256=${createHmac('sha256', secret).update(latin1).digest('hex')}` };
    expect(await verify(headers, { scheme: 'service' }, latin1)).toEqual(refused('malformed_body'));
  });

  it('never throws for headers and bodies from outside', async () => {
    const names = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-service-signature', 'get');
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.constantFrom('1795255200', 'v1,a'),
    );
    const bodies = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, values), bodies, fc.boolean(), async (headers, bytes, isService) => {
        const scheme = isService ? 'service' : 'standard';
        expect(await verify(headers, { scheme }, bytes)).toMatchObject({ ok: false });
      }),
    );
  });

  it('throws on options that would accept nothing or everything, and on a body that was parsed', async () => {
    const wrong = [
      { secret: '' },
      { secret: [] },
      { secret: [secret, ''] },
      { toleranceSeconds: NaN },
      { toleranceSeconds: -1 },
    ];
    for (const options of [...wrong, { scheme: 'both' as 'service' }, { secret: undefined as unknown as string }]) {
      await expect(verify(standard(), options)).rejects.toThrow(TypeError);
    }
    await expect(verify(standard(), {}, event as unknown as string)).rejects.toThrow('before it is parsed');
  });
});

describe('standardKey', () => {
  it('decodes base64 as Node does', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{2,60}={0,2}$/), (text) => {
        expect(Buffer.from(standardKey(`whsec_${text}`))).toEqual(Buffer.from(text, 'base64'));
      }),
    );
  });
});
