import { createHash } from 'node:crypto';
import { errorCodes } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, inSavepoint, type SealedTable, type UseCaseContext } from '@eas/db';
import { respondToError } from '../routes/error-response.ts';
import {
  findKeptResponse,
  type IdempotentCall,
  keepResponse,
  type KeptResponse,
  tryLockKey,
} from './idempotency.store.ts';
import type { RouteResponse } from '../routes/responses.ts';

/** The Idempotency-Key of a request; throws invalid_request outside 1 to 255 characters. */
export function idempotencyKeyOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length >= 1 && key.length <= 255) return key;
  const constraint = key === '' ? 'min_length' : 'max_length';
  const message = 'Idempotency-Key must have 1 to 255 characters.';
  throw new AppError('invalid_request', { field: 'Idempotency-Key', constraint, message });
}

/** Responses that are stored in addition to successes; their writes are rolled back, unless the error keeps them. */
const keptErrors = new Set([403, 404, 409]);

/**
 * Runs the handler at most once per key: record and write commit together. The same body again returns the first
 * response; another body, or a first request that still runs, is 409.
 */
export async function runOnce(
  ctx: UseCaseContext,
  call: IdempotentCall,
  { rawBody, requestId }: { rawBody: Buffer; requestId: string },
  handle: (ctx: UseCaseContext) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const fingerprint = createHash('sha256').update(rawBody).digest();
  const { secrets } = ctx;
  const cell = cellOf(ctx.tenantId, call);
  const open = (sealed: string) => JSON.parse(secrets.open(sealed, cell)) as RouteResponse;
  return ctx.inTransaction(async (tx) => {
    if (!(await tryLockKey(tx, call))) throw inFlight();
    const kept = await findKeptResponse(tx, call);
    if (kept) return replay(kept, fingerprint, requestId, open);
    const inner = contextInTransaction(ctx, tx);
    const outcome = (error: unknown) => outcomeOf(error, requestId);
    const result = await inSavepoint(tx, () => handle(inner).catch(unlessRolledBack(outcome))).catch(outcome);
    if (result.status === 204 || result.status >= 500) return result;
    const { status, headers, version, body } = result;
    const response = secrets.seal(JSON.stringify({ headers, version, body }), cell);
    await keepResponse(tx, call, { fingerprint, status, response });
    return result;
  });
}

/** An error that keeps earlier writes becomes a response inside the savepoint. */
const unlessRolledBack = (outcome: (error: unknown) => RouteResponse) => (error: unknown) => {
  if (error instanceof AppError && error.keepsWrites) return outcome(error);
  throw error;
};

function outcomeOf(error: unknown, requestId: string): RouteResponse {
  if (error instanceof AppError && keptErrors.has(error.status ?? errorCodes[error.code].status))
    return respondToError(error, 'rest', requestId);
  throw error;
}

function replay(
  kept: KeptResponse,
  fingerprint: Buffer,
  requestId: string,
  open: (sealed: string) => RouteResponse,
): RouteResponse {
  if (!kept.fingerprint.equals(fingerprint)) throw reused();
  const { headers, version, body } = open(kept.response);
  // An error names the request that it belongs to, which is this one.
  const { error } = (body ?? {}) as { error?: { request_id?: string } };
  if (kept.status >= 400 && error) error.request_id = requestId;
  return { status: kept.status, version, body, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

/** What `reseal` seals again. */
export const sealedResponses: SealedTable<'response'> = {
  table: 'idempotency_records',
  ids: ['credential_id', 'route', 'key'],
  columns: ['response'],
  cellOf: (tenantId, [credentialId = '', route = '', key = '']) => cellOf(tenantId, { credentialId, route, key }),
};

function cellOf(tenantId: string, { credentialId, route, key }: IdempotentCall) {
  const rowId = JSON.stringify([credentialId, route, key]);
  return { tenantId, table: 'idempotency_records', column: 'response', rowId };
}

const inFlight = () =>
  new AppError('conflict', {
    field: 'Idempotency-Key',
    constraint: 'idempotency_in_flight',
    message: 'The first request with this Idempotency-Key is still running. Send the same request again in a second.',
    headers: { 'Retry-After': '1' },
  });

const reused = () =>
  new AppError('conflict', {
    field: 'Idempotency-Key',
    constraint: 'idempotency_key_reuse',
    message: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  });
