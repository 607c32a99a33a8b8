import type { SinkRequest } from '@eas/testing';
import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a subscriber reads what it gets
export type Sent = { event_type: string; event_id: string; timestamp: string; data: any };

/** The payload of a webhook, once two verifiers that are not ours found it good and refused it altered. */
export async function verified({ body, headers }: SinkRequest, secret: string): Promise<Sent> {
  const text = body.toString('utf8');
  const altered = text.replace('"event_type"', '"event-type"');
  const ours = headers['x-service-signature'] ?? '';
  if (!/^sha256=[0-9a-f]{64}$/.test(ours)) throw new Error(`X-Service-Signature is ${ours}`);
  if (!(await verify(secret, text, ours)) || (await verify(secret, altered, ours)))
    throw new Error('X-Service-Signature does not distinguish a good body from an altered one');
  const standard = new Webhook(secret);
  standard.verify(text, headers);
  if (isGood(standard, altered, headers)) throw new Error('webhook-signature holds for an altered body');
  const sent = JSON.parse(text) as Sent;
  if (headers['webhook-id'] !== sent.event_id) throw new Error(`webhook-id is ${headers['webhook-id']}`);
  if (headers['content-type'] !== 'application/json') throw new Error(`content-type is ${headers['content-type']}`);
  return sent;
}

function isGood(standard: Webhook, text: string, headers: Record<string, string>): boolean {
  try {
    standard.verify(text, headers);
    return true;
  } catch {
    return false;
  }
}
