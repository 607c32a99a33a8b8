import { recordAudit } from '@eas/access';
import { maxRetried } from '@eas/contracts';
import { formatTimestamp, StartError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { DeadEventKey, DeadEventRow } from '@eas/queue';
import { say } from '../../terminal.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { inSystem } from '../in-system.ts';
import { printRows } from '../print-rows.ts';

const maxListed = 1_000;

/** Loaded by the commands that need it alone: it brings the clients of the queue stores. */
const queueLibrary = () => import('@eas/queue');

const listOptions = {
  limit: { type: 'string', default: '20', about: `number of events, at most ${maxListed}` },
  json: jsonOption,
} as const;

export const listDeadCommand = defineCommand({
  usage: '[--limit n] [--json]',
  about: 'lists the events of all tenants that a consumer gave up on, the latest first, with the last error',
  options: listOptions,
  async run({ values }, config) {
    const limit = Number(values.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > maxListed)
      throw new StartError(`--limit must be a number from 1 to ${maxListed}.`);
    const { listDeadEvents } = await queueLibrary();
    const rows = await inSystem(config, (contextOf) =>
      contextOf().inTransaction((tx) => listDeadEvents(tx.db, { limit })),
    );
    const columns = ['event_id', 'event_type', 'consumer', 'attempts', 'dead_at', 'last_error'];
    printRows(rows.map(shown), { columns, json: values.json });
  },
});

const shown = (row: DeadEventRow) => ({
  tenant_id: row.tenantId,
  event_id: row.eventId,
  event_type: row.eventType,
  consumer: row.consumer,
  attempts: row.attempts,
  dead_at: formatTimestamp(row.deadAt),
  last_error: row.lastError,
});

const retryOptions = {
  consumer: { type: 'string', about: 'only of this consumer' },
  all: { type: 'boolean', about: 'every dead event' },
} as const;

export const retryDeadCommand = defineCommand({
  usage: '<event id>… [--consumer name] | --all',
  about: 'lets consumers process dead events again, at once and with ten attempts; fix the cause first',
  options: retryOptions,
  maxWords: maxRetried + 1,
  async run({ values, words }, config) {
    const isNamed = words.length > 0;
    if (isNamed === Boolean(values.all)) throw new StartError('Name the events to retry, or pass --all.');
    if (values.all && values.consumer !== undefined) throw new StartError('--consumer needs the events to retry.');
    if (words.length > maxRetried) throw new StartError(`At most ${maxRetried} events can be named.`);
    const retried = await inSystem(config, (contextOf) =>
      isNamed ? retryNamed(contextOf(), words, values.consumer) : retryAll(contextOf()),
    );
    say(`retried ${retried}`);
  },
});

async function retry(ctx: UseCaseContext, keys?: readonly DeadEventKey[]) {
  const { retryDead } = await queueLibrary();
  return retryDead(ctx, keys, (tx, entry) => recordAudit(tx, ctx.actor, entry));
}

async function retryNamed(ctx: UseCaseContext, ids: readonly string[], consumer: string | undefined): Promise<number> {
  const { findDeadEvents } = await queueLibrary();
  const found = await findDeadEvents(ctx.db, ids, maxRetried);
  const keys = found.filter((key) => consumer === undefined || key.consumer === consumer);
  const missing = ids.filter((id) => !keys.some(({ eventId }) => eventId === id));
  if (missing.length > 0) throw new StartError(`Not among the dead events: ${missing.slice(0, 10).join(', ')}.`);
  return (await retry(ctx, keys)).retried;
}

/** An event takes minutes to die again: events that die in the meantime do not prolong this. */
const maxRounds = 1_000;

async function retryAll(ctx: UseCaseContext): Promise<number> {
  let total = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const { retried, hasMore } = await retry(ctx);
    total += retried;
    if (!hasMore || retried === 0) break;
  }
  return total;
}
