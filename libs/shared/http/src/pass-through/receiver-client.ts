import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';

export type ReceiverResponse = { status: number; headers: IncomingMessage['headers']; text: string };

export type ReceiverClient = (path: string, headers: readonly string[], body: Buffer) => Promise<ReceiverResponse>;

const maxResponseBytes = 65_536;
/** Maximum number of concurrent requests; slow senders are handled by the gateway's server, never here. */
const maxSockets = 256;

/** POSTs whole bodies to the receiver at `target`. Rejects when it does not respond in time, or with too much. */
export function createReceiverClient(target: string, timeoutMs: number): ReceiverClient {
  const { protocol, hostname, port, pathname } = new URL(target);
  const isSecure = protocol === 'https:';
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets });
  const send = isSecure ? requestHttps : requestHttp;
  const base = pathname.replace(/\/$/, '');
  return async (path, headers, body) => {
    const options = {
      method: 'POST',
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: base + path,
      headers: [...headers, 'content-length', String(body.length)],
      signal: AbortSignal.timeout(timeoutMs),
    };
    const once = (isFresh: boolean): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const request = send({ ...options, agent: isFresh ? false : agent });
        request.once('response', resolve).once('error', (error: NodeJS.ErrnoException) => {
          if (request.reusedSocket && isGone(error)) resolve(once(true));
          else reject(error);
        });
        request.end(body);
      });
    const result = await once(false);
    return { status: result.statusCode ?? 0, headers: result.headers, text: await readText(result) };
  };
}

/**
 * The receiver ended an idle connection while a request was on its way: it has not read the request, or has stored it
 * and recognises the second one.
 */
const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

async function readText(result: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of result as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxResponseBytes) throw new Error('the receiver answers with too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
