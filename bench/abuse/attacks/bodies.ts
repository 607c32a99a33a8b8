import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { type Attack, call, hammer, reasonOf, rest, type Target } from './attack.ts';

const megabyte = 1_048_576;

/** Larger than both HTTP apps accept: the client must be able to read each response, 413 or 429. */
export const oversizeBodies: Attack = {
  name: 'oversize-bodies',
  about: 'bodies of 6 MB to both HTTP apps, with a length and in chunks',
  allowed: [413, 429],
  run: (target) => {
    const body = 'x'.repeat(6 * megabyte);
    const paths = ['/webhook/taskplatform', '/v1/tasks'];
    return hammer(target, 4, (number) => call(target, 'POST', paths[number % paths.length] ?? '', body));
  },
};

/** Unsigned requests must cost no more than the check of their signature. */
export const forgedBodies: Attack = {
  name: 'forged-bodies',
  about: '4.5 MB of deeply nested and of tiny values, with a wrong signature',
  allowed: [400, 403, 429],
  run: (target) => {
    const nested = '['.repeat(2.2 * megabyte) + ']'.repeat(2.2 * megabyte);
    const tiny = `[${'0,'.repeat(2.2 * megabyte)}0]`;
    const signature = createHmac('sha256', 'wrong secret').update('x').digest('hex');
    return hammer(target, 4, async (number) => {
      const headers = { 'x-signature': signature };
      const init = { method: 'POST', headers, body: number % 2 ? nested : tiny, signal: target.signal };
      const response = await fetch(`${target.url}/webhook/taskplatform`, init);
      await response.arrayBuffer();
      return response;
    });
  },
};

async function sendSlowly({ url, signal, count }: Target, path: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\n\r\n`;
  let isOpen = true;
  socket.on('error', (error) => count(reasonOf(error)));
  socket.on('close', () => (isOpen = false));
  socket.on('data', (chunk) => count(Number(chunk.toString('latin1').slice(9, 12))));
  socket.on('connect', () => socket.write(head));
  while (isOpen && !signal.aborted) {
    socket.write('{');
    await rest(1_000, signal);
  }
  socket.destroy();
  if (!signal.aborted) await rest(200, signal);
}

/** More connections than an app may hold: other clients must still get responses. */
export const slowSenders: Attack = {
  name: 'slow-senders',
  about: '256 connections to each HTTP app that send a byte a second',
  allowed: [400, 401, 403, 408, 413, 429, 503, 'ECONNRESET', 'EPIPE'],
  run: async (target) => {
    const paths = ['/webhook/taskplatform', '/v1/tasks'];
    const senders = Array.from({ length: 512 }, async (_, number) => {
      while (!target.signal.aborted) await sendSlowly(target, paths[number % 2] ?? '');
    });
    await Promise.all(senders);
  },
};

/** Request smuggling: the inner request must never get a response. */
const smuggled = 'DELETE /webhook/smuggled HTTP/1.1\r\nhost: inner\r\ncontent-length: 0\r\n\r\n';
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
const smugglers = [
  `DELETE /webhook/taskplatform HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  `POST /webhook/taskplatform HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  `POST /webhook/taskplatform HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n${chunked}`,
  `POST /webhook/taskplatform HTTP/1.1\r\nhost: a\r\ntransfer-encoding : chunked\r\ncontent-length: 5\r\n\r\n${chunked}`,
  `GET /webhook/taskplatform HTTP/1.1\r\nhost: a\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
];

function statusesOf({ url }: Target, text: string): Promise<number[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let reply = '';
    const end = () => {
      socket.destroy();
      resolve([...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)));
    };
    socket.setTimeout(300, end);
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (chunk) => (reply += chunk.toString('latin1')));
    socket.write(text);
  });
}

export const smuggling: Attack = {
  name: 'smuggling',
  about: 'requests within requests through the pass-through to the receiver',
  allowed: [400, 401, 403, 404, 405, 413, 429, 501, 'nothing'],
  run: (target) =>
    hammer(target, 4, async (number) => {
      const statuses = await statusesOf(target, smugglers[number % smugglers.length] ?? '');
      if (statuses.length > 1) target.count(`responded ${statuses.length} times`);
      else if (statuses.length === 0) target.count('nothing');
      return { status: statuses[0] ?? 400 };
    }),
};
