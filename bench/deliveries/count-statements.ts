import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to Postgres that counts the statements that pass, by their texts. */
export type StatementCounter = {
  /** The URL to give to the process whose statements are counted. */
  url: string;
  counts: ReadonlyMap<string, number>;
  reset(): void;
  close(): void;
};

export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const counts = new Map<string, number>();
  const count = (text: string) => void counts.set(text, (counts.get(text) ?? 0) + 1);
  const server = createServer({ noDelay: true }, (client) => {
    const postgres = connect({ host: target.hostname, port: Number(target.port || 5_432), noDelay: true });
    readStatements(client, count);
    client.pipe(postgres).pipe(client);
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.toString(), counts, reset: () => counts.clear(), close: () => void server.close() };
}

/**
 * Reads what a client sends in Postgres' protocol 3: the start without a type, then messages of a type (one byte), a
 * length that counts itself (four bytes) and the rest. A statement is run by Query, or bound by the name that Parse gave.
 */
function readStatements(client: Socket, count: (text: string) => void): void {
  const named = new Map<string, string>();
  let pending: Buffer = Buffer.alloc(0);
  let hasStarted = false;
  client.on('data', (chunk: Buffer) => {
    pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    for (;;) {
      const typeBytes = hasStarted ? 1 : 0;
      if (pending.length < typeBytes + 4) return;
      const end = typeBytes + pending.readInt32BE(typeBytes);
      if (pending.length < end) return;
      if (hasStarted) readMessage(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, end), { named, count });
      hasStarted = true;
      pending = pending.subarray(end);
    }
  });
}

type Reading = { named: Map<string, string>; count: (text: string) => void };

function readMessage(type: string, body: Buffer, { named, count }: Reading): void {
  if (!'QPB'.includes(type)) return;
  const [first = '', second = ''] = (type === 'B' ? body.subarray(0, 200) : body).toString('latin1').split('\0', 2);
  // Of Parse: the name and the text. Of Bind: the portal and the name. Of Query: the text.
  if (type === 'P') named.set(first, second);
  else count(type === 'Q' ? first : (named.get(second) ?? second));
}
