import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

/** `file`: the certificate of an authority that no one knows, and of localhost (PEM). */
export type OwnAuthority = { file: string; context: SecureContext };

export function createAuthority(folder: string): OwnAuthority {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'ca.crt')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...made, ...names, '-keyout', key, '-out', file], { stdio: 'ignore' });
  return { file, context: createSecureContext({ key: readFileSync(key), cert: readFileSync(file) }) };
}

export type TlsFront = { port: number; close(): Promise<void> };

/** TLS in front of a store without it. Postgres begins in the clear, with one message that asks for TLS. */
export async function startTlsFront(
  target: URL,
  { context }: OwnAuthority,
  kind: 'postgres' | 'redis',
): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  const secure = (socket: Socket) => {
    const client = new TLSSocket(socket, { isServer: true, secureContext: context });
    const store = connect(Number(target.port), target.hostname);
    keep(store);
    client.on('error', () => store.destroy());
    store.once('close', () => client.destroy());
    client.pipe(store).pipe(client);
  };
  const server = createServer((socket) => {
    keep(socket);
    if (kind === 'redis') return secure(socket);
    socket.once('data', () => {
      socket.write('S');
      secure(socket);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((closed) => server.close(closed));
    },
  };
}
