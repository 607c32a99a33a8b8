import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** SQL text → the file that ran it first; `prisma` where that is unknown. */
export type Statements = Map<string, string>;

type Query = (this: unknown, ...args: unknown[]) => unknown;
type Queryable = { query: Query };

/** Records every statement that the code under test sends to Postgres, except those of the specs themselves. */
export function recordStatements(): { statements: Statements; stop(): void } {
  const statements: Statements = new Map();
  const record = (query: string | { text?: string }) => {
    const text = typeof query === 'string' ? query : query.text;
    if (text === undefined || statements.has(text)) return;
    const user = userOf(text);
    if (user !== undefined) statements.set(text, user);
  };
  // A pool runs a statement later, when the stack no longer shows its caller: the caller is determined at the call.
  const onAsked = (text: unknown) => record(text as string);
  subscribe('eas.db.statements', onAsked);
  const stops = [pg.Pool.prototype, pg.Client.prototype].map((prototype) => spyOn(prototype as never, record));
  return {
    statements,
    stop() {
      unsubscribe('eas.db.statements', onAsked);
      stops.forEach((stop) => stop());
    },
  };
}

function spyOn(prototype: Queryable, record: (query: string | { text?: string }) => void): () => void {
  const { query: original } = prototype;
  prototype.query = function (...args) {
    record(args[0] as string | { text?: string });
    return original.apply(this, args);
  };
  return () => void (prototype.query = original);
}

const ours = /\/((?:apps|libs|tools|bench)\/[^:?]+\.ts)(?:\?evaluation=\d+)?$/;
const plumbing =
  /^libs\/shared\/(?:testing\/|db\/src\/(?:connection\/(?:db|prisma|pool|lock-breaker|cancel-statement)|database|transactions\/transaction)\.ts)/;
const ofTests = /\.(?:spec|fixture)\.ts$|\/test\//;

/**
 * The nearest caller outside of the infrastructure; undefined for specs, and for statements that a pool passes on:
 * these were recorded when the pool got them, and the stack is that of the caller that released a connection. Prisma is
 * only recognised by its SQL.
 */
function userOf(text: string): string | undefined {
  for (const path of filesOnStack()) {
    if (path.includes('/pg-pool/')) return undefined;
    const [, file] = path.includes('node_modules') ? [] : (ours.exec(path) ?? []);
    if (file === undefined || plumbing.test(file)) continue;
    return ofTests.test(file) ? undefined : file;
  }
  return text.includes('"public".') ? 'prisma' : undefined;
}

/** The files of the calls that led here, nearest first; read without source maps, which would take milliseconds. */
function filesOnStack(): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? '');
  const files = new Error().stack as unknown as string[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return files;
}
