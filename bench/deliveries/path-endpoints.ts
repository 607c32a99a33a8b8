import { scopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { createEndpoint, disableByHand } from '@eas/webhooks';

/** Endpoints by their role in the delivery path. */
export type PathEndpoints = Record<'backlog' | 'quiet' | 'ordered' | 'paused' | 'capped' | 'disabled', string>;

export async function makePathEndpoints(ctx: UseCaseContext): Promise<PathEndpoints> {
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
  const make = async (name: string, more: object = {}) => {
    const body = { url: `https://example.com/${name}`, events: ['*'], secret: 'the secret of the bench', ...more };
    return (await createEndpoint(ctx, { body, scopes }, rules)).id;
  };
  const endpoints = {
    backlog: await make('backlog'),
    quiet: await make('quiet'),
    ordered: await make('ordered', { ordering: 'task' }),
    paused: await make('paused'),
    capped: await make('capped', { max_per_second: 10 }),
    disabled: await make('disabled'),
  };
  await disableByHand(ctx, { id: endpoints.disabled, ifMatch: undefined });
  await ctx.db.query(
    `UPDATE endpoints SET status = 'paused', probe_at = app_now() - interval '1 minute' WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, endpoints.paused],
  );
  return endpoints;
}
