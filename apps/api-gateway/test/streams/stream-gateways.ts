import { createAuthenticator } from '@eas/access';
import { type Database, openDatabase } from '@eas/db';
import { createStreams, type Listening, mountRoutes, type Route, serve, type StreamEnd } from '@eas/http';
import { silentLogger, type TestDatabase } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { afterAll, beforeAll } from '@jest/globals';
import { streamRoutes } from '../../src/routes/streams.routes.ts';
import { startTestRelay } from '../relay.ts';

type Options = Partial<
  Pick<Parameters<typeof createStreams>[0], 'limits' | 'heartbeatMs' | 'stallMs' | 'recheckMs' | 'pollMs'>
>;

/** One process that streams, with a database connection, a cache of credentials and a listener of its own. */
export type StreamGateway = {
  url: string;
  database: Database;
  /** Why streams ended, in order. */
  ends: StreamEnd[];
  /** Streams open now. */
  open(): number;
  /** Ends all streams, as a shutdown does, and listens no more. */
  close(): Promise<void>;
};

async function startStreamGateway(test: TestDatabase, options: Options): Promise<StreamGateway> {
  const closing = new AbortController();
  const database = await openDatabase({ url: test.url, poolSize: 2, applicationName: 'streams', logger: silentLogger });
  const authenticator = createAuthenticator({ database, logger: silentLogger });
  const ends: StreamEnd[] = [];
  let opened = 0;
  const observer = {
    onOpened: () => void (opened += 1),
    onWritten: () => {},
    onEnded: (_route: string, end: StreamEnd) => void ends.push(end),
  };
  const { listener } = database;
  const app = mountRoutes(streamRoutes as Route[], {
    authenticate: authenticator.authenticate,
    makeContext: (caller) => ({ ...test.context(caller), db: database.db }),
    logger: silentLogger,
    streams: createStreams({ listener, logger: silentLogger, closing: closing.signal, observer, ...options }),
    checksResponses: true,
  });
  const listening: Listening = await serve(app, { host: '127.0.0.1', port: 0 });
  let closed: Promise<void> | undefined;
  async function close() {
    closing.abort();
    await listening.close(hangMs);
    await authenticator.close();
    await database.close();
  }
  return {
    url: `http://127.0.0.1:${listening.port}`,
    database,
    ends,
    open: () => opened - ends.length,
    close: () => (closed ??= close()),
  };
}

/** Streaming processes next to a gateway, and a relay that numbers events without a queue behind it. */
export function useStreamGateways(test: TestDatabase, count: number, options: Options = {}): StreamGateway[] {
  const gateways: StreamGateway[] = [];
  let stopRelay = async () => {};
  beforeAll(async () => {
    for (let n = 0; n < count; n += 1) gateways.push(await startStreamGateway(test, options));
    const relay = startTestRelay(test);
    stopRelay = () => relay.stop();
  });
  afterAll(async () => {
    await stopRelay();
    await Promise.all(gateways.map((gateway) => gateway.close()));
  });
  return gateways;
}
