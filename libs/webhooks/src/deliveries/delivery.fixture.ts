import { scopes, type Send } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { fanOut } from './fan-out.ts';

export const secret = 'the secret of this endpoint';

/** An endpoint that any address is good for. */
export async function makeEndpoint(ctx: UseCaseContext, url: string, events = ['*']): Promise<string> {
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 1 };
  return (await createEndpoint(ctx, { body: { url, events, secret }, scopes }, rules)).id;
}

/** Appends `count` comments on tasks and fans them out, as the consumer does. */
export async function fanOutComments(ctx: UseCaseContext, count = 1): Promise<{ eventIds: string[]; then: Send[] }> {
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
  return { eventIds, ...(await fanOut(ctx, events)) };
}

export type DeliveryState = { status: string; attempts: number; waitMs: number | null; isInHand: boolean };

const stateSql = `
  SELECT status, attempts, round(extract(epoch FROM next_attempt_at - app_now()) * 1000)::int AS "waitMs",
    queued_until IS NOT NULL OR sending_until IS NOT NULL AS "isInHand"
  FROM deliveries WHERE tenant_id = $1 AND endpoint_id = $2 ORDER BY event_id`;

export function deliveryStates({ db, tenantId }: UseCaseContext, endpointId: string): Promise<DeliveryState[]> {
  return db.query<DeliveryState>(stateSql, [tenantId, endpointId]);
}

export function attemptsOf({ db, tenantId }: UseCaseContext, endpointId: string) {
  return db.prisma.attempt.findMany({
    where: { tenantId, endpointId },
    orderBy: [{ eventId: 'asc' }, { number: 'asc' }],
  });
}
