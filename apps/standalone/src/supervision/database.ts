import { type EmbeddedPostgres, startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import { keepAlive, type KeepAliveOptions, type KeptAlive, type Running } from './keep-alive.ts';

/** The name in messages, as in process lists. */
const name = 'postgres';

export type EmbeddedDatabase = { url: string; kept: KeptAlive };

export type EmbeddedDatabaseOptions = {
  dataDir: string;
  say: (line: string) => void;
  onDeath: KeepAliveOptions['onDeath'];
};

/** Embedded Postgres, started again on the same port whenever it ends. */
export async function startDatabase({ dataDir, say, onDeath }: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const first = await startEmbeddedPostgres({ dataDir, log: say });
  const start = async (): Promise<Running> =>
    asRunning(await startEmbeddedPostgres({ dataDir, port: first.port, log: () => {} }));
  return { url: first.url, kept: keepAlive({ name, start, first: asRunning(first), onDeath }) };
}

function asRunning(server: EmbeddedPostgres): Running {
  return { exited: server.exited.then(() => 'the server stopped'), stop: (graceMs) => server.stop(graceMs) };
}
