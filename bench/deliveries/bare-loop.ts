import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { doAsChild } from '../harness/child-task.ts';

export type BareLoop = { url: string; bytes: number; inFlight: number; seconds: number };
export type BareResult = { perSecond: number };

/** Signs and posts bytes as a delivery does, and does nothing else: what the HTTP client alone can do. */
async function run({ url, bytes, inFlight, seconds }: BareLoop): Promise<BareResult> {
  const dispatcher = new Agent({ connections: inFlight });
  const body = Buffer.alloc(bytes, 'a');
  const endsAt = performance.now() + seconds * 1_000;
  let sent = 0;
  const sendUntilEnd = async () => {
    while (performance.now() < endsAt) {
      const signature = createHmac('sha256', 'secret').update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-service-signature': `sha256=${signature}` };
      const response = await request(url, { dispatcher, method: 'POST', headers, body });
      await response.body.dump();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendUntilEnd));
  await dispatcher.close();
  return { perSecond: sent / seconds };
}

doAsChild<BareLoop>(run);
