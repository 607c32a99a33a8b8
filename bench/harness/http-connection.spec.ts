import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { driveConnection, readResponse } from './http-connection.ts';

describe('readResponse', () => {
  it('waits for the whole body', () => {
    const text = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello';
    expect(readResponse(text)).toEqual({ status: 201 });
    for (let length = 0; length < text.length; length += 1) {
      expect(readResponse(text.slice(0, length))).toBe('incomplete');
    }
  });

  it('refuses a response without a length, except 204', () => {
    expect(readResponse('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0')).toBe('unreadable');
    expect(readResponse('HTTP/1.1 204 No Content\r\n\r\n')).toEqual({ status: 204 });
  });
});

describe('driveConnection', () => {
  it('sends one request after another on one connection', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('{"ok":true}'));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const statuses = new Set<number>();
    const failures: Error[] = [];
    let count = 0;
    await driveConnection({
      host: '127.0.0.1',
      port,
      endsAt: performance.now() + 1_000,
      next: () => `GET / HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      onResponse: (status) => void (statuses.add(status), (count += 1)),
      failed: (error) => failures.push(error),
    });
    expect({ statuses: [...statuses], failures, connections }).toEqual({
      statuses: [200],
      failures: [],
      connections: 1,
    });
    expect(count).toBeGreaterThan(1);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  it('ends in time where no server listens', async () => {
    const failures: Error[] = [];
    await driveConnection({
      host: '127.0.0.1',
      port: 1,
      endsAt: performance.now() + 250,
      next: () => '',
      onResponse: () => {},
      failed: (error) => failures.push(error),
    });
    expect(failures.length).toBeGreaterThan(0);
  });
});
