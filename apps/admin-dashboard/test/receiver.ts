import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that responds with `respond.status` and `respond.body`. */
export async function startReceiver() {
  const respond = { status: 200, body: 'thank you' };
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(text);
      response.writeHead(respond.status, { 'content-type': 'text/plain' }).end(respond.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    respond,
    bodies,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
