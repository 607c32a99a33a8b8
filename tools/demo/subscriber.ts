import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

const payload = z.strictObject({
  event_type: z.string(),
  event_id: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** A webhook as it came. `at`: when, by performance.now(). */
export type Received = z.infer<typeof payload> & { at: number };

export type Subscriber = {
  url: string;
  secret: string;
  received: readonly Received[];
  complaints: readonly string[];
  /** Signatures that both foreign verifiers found good, and altered bodies that both refused. */
  counts: { good: number; alteredRefused: number };
  /** The first webhook that fits, also one that has come already; undefined after `timeoutMs`. */
  waitFor(fits: (webhook: Received) => boolean, timeoutMs: number): Promise<Received | undefined>;
  /** Responds with 410 from now on: the next webhook is the last one, the service disables the registration. */
  leave(): void;
  close(): void;
};

/** A subscriber's server: verifies every webhook with two verifiers that are not ours, then responds with 204. */
export async function startSubscriber(): Promise<Subscriber> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const received: Received[] = [];
  const complaints: string[] = [];
  const counts = { good: 0, alteredRefused: 0 };
  let status = 204;
  const waiting = new Set<(webhook: Received) => void>();

  async function take(request: IncomingMessage): Promise<void> {
    const at = performance.now();
    const body = await readBody(request);
    if (await isGood(secret, body, request.headers)) counts.good += 1;
    else complaints.push(`a signature that does not verify: ${body.slice(0, 200)}`);
    const altered = body.replace(/"event_type"/, '"Event_type"');
    if (!(await isGood(secret, altered, request.headers))) counts.alteredRefused += 1;
    const webhook = { ...payload.parse(JSON.parse(body)), at };
    if (request.headers['webhook-id'] !== webhook.event_id) complaints.push(`webhook-id is not ${webhook.event_id}`);
    received.push(webhook);
    for (const notify of waiting) notify(webhook);
  }

  const server = createServer((request, response) => {
    take(request)
      .catch((error: unknown) => complaints.push(String(error)))
      .finally(() => response.writeHead(status).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secret,
    received,
    complaints,
    counts,
    waitFor: (fits, timeoutMs) =>
      new Promise((resolve) => {
        const come = received.find(fits);
        if (come) return resolve(come);
        const settle = (webhook?: Received) => {
          clearTimeout(timer);
          waiting.delete(notify);
          resolve(webhook);
        };
        const notify = (webhook: Received) => void (fits(webhook) && settle(webhook));
        const timer = setTimeout(settle, timeoutMs);
        waiting.add(notify);
      }),
    leave: () => void (status = 410),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Good by both: @octokit/webhooks-methods for X-Service-Signature, standardwebhooks for the webhook-* headers. */
async function isGood(secret: string, body: string, headers: IncomingMessage['headers']): Promise<boolean> {
  const header = (name: string) => String(headers[name] ?? '');
  const ours = header('x-service-signature');
  const byOctokit = ours.startsWith('sha256=') && (await verify(secret, body, ours));
  return byOctokit && isGoodByStandardWebhooks(secret, body, header);
}

function isGoodByStandardWebhooks(secret: string, body: string, header: (name: string) => string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  try {
    new Webhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, header(name)])));
    return true;
  } catch {
    return false;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
