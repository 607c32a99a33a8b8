import { scopes, type Send } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import type { AttemptRow } from '../sending/attempt.store.ts';
import type { LeftBehind } from './left-behind.ts';
import { fanOut } from './fan-out.ts';

export const secret = 'the secret of this endpoint';

/** An endpoint with any address. */
export async function makeEndpoint(ctx: UseCaseContext, url: string, events = ['*']): Promise<string> {
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
  return (await createEndpoint(ctx, { body: { url, events, secret }, scopes }, rules)).id;
}

/** Appends `count` comments on tasks and fans them out, as the consumer does. */
export async function fanOutComments(
  ctx: UseCaseContext,
  count = 1,
  leftBehind?: LeftBehind,
): Promise<{ eventIds: string[]; then: Send[] }> {
  const eventIds = await ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, (_, index) =>
      append(tx, {
        type: 'task.commented',
        at: ctx.clock.now(),
        data: { task_id: 'tsk_1', title: `Größe ${index}`, content: '<b>"\u2028', author: 'key_1' },
        facts: null,
      }),
    ),
  );
  const events = eventIds.map((eventId) => ({ eventId, type: 'task.commented' as const }));
  return { eventIds, ...(await fanOut(ctx, events, leftBehind)) };
}

/** As if something else had been delivered in the meantime: a delivery without tries left is dead and not held. */
export async function markUp({ db, tenantId }: UseCaseContext, endpointId: string): Promise<void> {
  const sql = `UPDATE endpoints SET last_success_at = app_now() + interval '1 hour' WHERE tenant_id = $1 AND id = $2`;
  await db.query(sql, [tenantId, endpointId]);
}

/** A first attempt that failed and is made again. */
export const makeAttemptRow = (of: { tenantId: string; endpointId: string; eventId: string }): AttemptRow => ({
  tenant_id: of.tenantId,
  event_id: of.eventId,
  endpoint_id: of.endpointId,
  number: 1,
  started_at: new Date(),
  duration_ms: 1,
  http_status: 500,
  outcome: 'http_5xx',
  error: null,
  response: null,
  url: 'https://example.com',
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: 1,
  body_ms: 1,
  response_headers: null,
  is_response_cut: false,
  reason: null,
  delivery_status: 'pending',
  retry_ms: 1_000,
});
