import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { Queryable } from './db.ts';
import type pg from 'pg';

/** Members that the types of pg lack. */
type Session = { host: string; port: number; processID: number; secretKey: number };

const cancelCode = 80_877_102;
const patienceMs = 2_000;

/**
 * Asks the server to cancel the statement of this session. Resolves when the server has handled the request, so that it
 * cannot cancel a later statement of the session; never rejects, as the statement has its own time limit.
 */
function cancelStatement(session: Session): Promise<void> {
  const { host, port, processID, secretKey } = session;
  const message = Buffer.alloc(16);
  [message.length, cancelCode, processID, secretKey].forEach((value, at) => message.writeInt32BE(value, at * 4));
  const socket = host.startsWith('/')
    ? createConnection(join(host, `.s.PGSQL.${port}`))
    : createConnection({ host, port });
  return new Promise((done) => {
    socket
      .setTimeout(patienceMs, () => socket.destroy())
      .on('error', () => {})
      .once('close', () => done())
      .end(message)
      .resume();
  });
}

/** Runs the statement, and cancels it in the server when the signal aborts. Throws the signal's reason then. */
export async function queryUntilAborted(
  connection: pg.PoolClient,
  statement: Parameters<Queryable['query']>[0],
  signal: AbortSignal,
): Promise<pg.QueryResult> {
  signal.throwIfAborted();
  let cancelled: Promise<void> | undefined;
  const cancel = () => void (cancelled = cancelStatement(connection as unknown as Session));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await connection.query(statement);
  } catch (error) {
    throw cancelled ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelled;
  }
}
