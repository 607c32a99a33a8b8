import type { Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../connection/connection-options.ts';
import { peerValidity, type Validity } from './certificate.ts';

/**
 * Of the certificate that a new connection gets: those that are open keep the one that they began with. Undefined
 * without TLS.
 */
export async function readServerCertificate(url: string): Promise<Validity | undefined> {
  const client = new pg.Client({ ...connectionOptions, application_name: 'eas-certificate', connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return peerValidity(streamOf(client));
  } finally {
    await client.end();
  }
}

/** The library's types lack its connection. */
const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
