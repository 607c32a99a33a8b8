import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, it } from '@jest/globals';
import { connectRedis } from './redis-connection.ts';

const trusted = getCACertificates('default');
afterAll(() => setDefaultCACertificates(trusted));

/** A certificate that names a host, and no address. */
function certify(host: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'eas-certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...args, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(['', '/?cluster=true'])('trusts a server by its host name, over rediss://…%s', async (path) => {
  const { key, cert } = certify('localhost');
  setDefaultCACertificates([cert]);
  const server = createServer({ key, cert }).listen(0, 'localhost');
  await once(server, 'listening');
  const refused = once(server, 'tlsClientError').then(([error]) => Promise.reject<never>(error as Error));
  const { port } = server.address() as AddressInfo;
  const client = connectRedis(`rediss://localhost:${port}${path}`, 'worker', () => {});
  try {
    const [socket] = (await Promise.race([once(server, 'secureConnection'), refused])) as [TLSSocket];
    await once(socket, 'data');
    socket.destroy();
  } finally {
    client.disconnect();
    server.close();
  }
});
