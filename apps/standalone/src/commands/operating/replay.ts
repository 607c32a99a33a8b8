import { createReplayBody, maxPageSize, pageOf } from '@eas/contracts';
import { AppError, StartError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { createReplay, listEndpoints, previewReplay } from '@eas/webhooks';
import { defineCommand, jsonOption, tenantOption } from '../command.ts';
import { inTenant } from '../in-system.ts';
import { printRows, type Row } from '../print-rows.ts';

const options = {
  tenant: tenantOption,
  all: { type: 'boolean', about: 'every webhook of the tenant that is not disabled' },
  from: { type: 'string', about: 'only events at or after this time, such as 2026-11-20T12:00:00Z' },
  to: { type: 'string', about: 'only events before this time' },
  'event-types': { type: 'string', about: 'only these types, comma-separated, such as task.*' },
  statuses: { type: 'string', default: 'dead', about: 'only deliveries with these statuses, comma-separated' },
  'max-per-second': { type: 'string', default: '50', about: 'deliveries that become due in a second' },
  'dry-run': { type: 'boolean', about: 'counts the deliveries only' },
  json: jsonOption,
} as const;

export const replayCommand = defineCommand({
  usage:
    '<webhook id> | --all [--tenant slug] [--from time] [--to time] [--event-types list] [--statuses list] [--dry-run]',
  about: 'sends deliveries of webhooks again, as POST /v1/webhooks/{webhook_id}/replays does',
  options,
  maxWords: 1,
  async run({ values, words }, config) {
    const [id] = words;
    if ((id === undefined) === !values.all) throw new StartError('Name the webhook to replay, or pass --all.');
    const body = createReplayBody.parse({
      filter: {
        from: values.from,
        to: values.to,
        event_types: listOf(values['event-types']),
        statuses: listOf(values.statuses),
      },
      max_per_second: Number(values['max-per-second']),
      dry_run: values['dry-run'] ?? false,
    });
    const rows = await inTenant(config, values.tenant, async (ctx) => {
      const replay = (endpointId: string) => startReplay(ctx, { endpointId, body });
      return id === undefined ? replayAll(ctx, replay) : [await replay(id).catch(unknownWebhook(id))];
    });
    printRows(rows, { columns: ['webhook_id', 'total', 'replay_id', 'problem'], json: values.json });
    return rows.some(({ problem }) => problem !== null) ? 1 : 0;
  },
});

const listOf = (text: string | undefined) => text?.split(',').map((part) => part.trim());

async function startReplay(ctx: UseCaseContext, request: Parameters<typeof createReplay>[1]): Promise<Row> {
  const { endpointId, body } = request;
  const { total } = await previewReplay(ctx, request);
  const isStarted = total > 0 && !body.dry_run;
  const replay = isStarted ? await createReplay(ctx, request) : undefined;
  return { webhook_id: endpointId, total: replay?.total ?? total, replay_id: replay?.id ?? null, problem: null };
}

/** One that cannot be replayed does not keep the others from it. */
async function replayAll(ctx: UseCaseContext, replay: (endpointId: string) => Promise<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const id of await activeWebhooks(ctx)) {
    const row = await replay(id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return { webhook_id: id, total: null, replay_id: null, problem: error.message };
    });
    rows.push(row);
  }
  return rows;
}

async function activeWebhooks(ctx: UseCaseContext): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += maxPageSize) {
    const { items } = await listEndpoints(ctx, {}, pageOf({ limit: maxPageSize, offset, sort: 'created_at' }));
    ids.push(...items.filter(({ status }) => status !== 'disabled').map(({ id }) => id));
    if (items.length < maxPageSize) return ids;
  }
}

const unknownWebhook = (id: string) => (error: unknown) => {
  throw error instanceof AppError && error.code === 'not_found' ? new StartError(`Unknown webhook: ${id}.`) : error;
};
