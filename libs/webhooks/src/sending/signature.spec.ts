import { verify } from '@octokit/webhooks-methods';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { makeSecret } from '../endpoints/endpoint.ts';
import { payloadBytes } from '../events/payload.ts';
import { signatureHeaders, signingKey } from './signature.ts';

const at = new Date();
const event = {
  eventId: 'evt_01ks0000000000000000000000',
  eventType: 'task.completed',
  occurredAt: new Date('2026-11-21T10:00:00.000Z'),
  dataText: '{"task_id":"tsk_1","title":"Grüße \\u0007 😀","b":1.0}',
};
const body = payloadBytes(event);
const sign = (secret: string, bytes = body) =>
  signatureHeaders([signingKey(secret)], { eventId: event.eventId, body: bytes, at });
const header = (headers: Record<string, string>, name: string) => headers[name] ?? '';

describe('payload', () => {
  it('has exactly the four fields of the interface', () => {
    expect(JSON.parse(body.toString())).toEqual({
      event_type: 'task.completed',
      event_id: event.eventId,
      timestamp: '2026-11-21T10:00:00Z',
      data: { task_id: 'tsk_1', title: 'Grüße \u0007 😀', b: 1 },
    });
  });

  it('keeps the stored text of the data byte for byte', () => {
    expect(body.toString()).toContain(`"data":${event.dataText}}`);
  });
});

describe('signature', () => {
  it("has GitHub's published value for GitHub's secret and text", () => {
    expect(sign("It's a Secret to Everybody", Buffer.from('Hello, World!'))).toMatchObject({
      'x-service-signature': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
  });

  it('is verified by @octokit/webhooks-methods, for any secret and body', async () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (secret, text) => {
        const signature = header(sign(secret, Buffer.from(text)), 'x-service-signature');
        expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
        expect(await verify(secret, text, signature)).toBe(true);
        expect(await verify(`${secret}x`, text, signature)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('is verified by standardwebhooks with a secret that was made here', () => {
    const secret = makeSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(body, sign(secret))).toMatchObject({ event_id: event.eventId });
    expect(() => new Webhook(makeSecret()).verify(body, sign(secret))).toThrow();
  });

  it('is verified by standardwebhooks with a secret of the client, as raw bytes', () => {
    const secret = 'correct horse battery staple ü';
    const key = Buffer.from(secret, 'utf8');
    expect(new Webhook(key, { format: 'raw' }).verify(body, sign(secret))).toMatchObject({ event_id: event.eventId });
  });

  it('takes the whole text as the key when whsec_ is followed by something else than base64', () => {
    const secret = 'whsec_not base64!';
    const key = Buffer.from(secret, 'utf8');
    expect(() => new Webhook(key, { format: 'raw' }).verify(body, sign(secret))).not.toThrow();
  });

  it('is verified with either secret while both are valid, ours with the new one alone', async () => {
    const [newest, previous, older] = [makeSecret(), makeSecret(), makeSecret()];
    const headers = signatureHeaders([signingKey(newest), signingKey(previous)], { eventId: event.eventId, body, at });
    for (const secret of [newest, previous]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(older).verify(body, headers)).toThrow();
    expect(header(headers, 'webhook-signature').split(' ')).toEqual(
      [newest, previous].map((secret) => header(sign(secret), 'webhook-signature')),
    );
    const signature = header(headers, 'x-service-signature');
    expect(await verify(newest, body.toString(), signature)).toBe(true);
    expect(await verify(previous, body.toString(), signature)).toBe(false);
  });
});
