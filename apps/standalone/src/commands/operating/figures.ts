import { setTimeout as sleep } from 'node:timers/promises';
import { cancelRebuilds, countRebuilds, recountSome, startRebuilds } from '@eas/analytics';
import { StartError } from '@eas/core';
import type { Db, UseCaseContext } from '@eas/db';
import { say } from '../../terminal.ts';
import { defineCommand, tenantOption } from '../command.ts';
import { inSystem } from '../in-system.ts';
import { tenantContext } from '../tenant-context.ts';

const maxPerSecond = 100_000;
const progressMs = 10_000;

const options = {
  tenant: tenantOption,
  all: { type: 'boolean', about: 'every tenant' },
  'max-per-second': { type: 'string', default: '5000', about: `tasks to read in a second, at most ${maxPerSecond}` },
  cancel: { type: 'boolean', about: 'ends the rebuild that was started, and keeps what it has corrected' },
} as const;

export const rebuildFiguresCommand = defineCommand({
  usage: '[--tenant slug | --all] [--max-per-second n] [--cancel]',
  about:
    'counts the facts and daily figures of tasks again and corrects them, while the system runs; started again, it goes on where it was',
  options,
  async run({ values }, config) {
    const pace = Number(values['max-per-second']);
    if (!Number.isInteger(pace) || pace < 1 || pace > maxPerSecond)
      throw new StartError(`--max-per-second must be a number from 1 to ${maxPerSecond}.`);
    return inSystem(config, async (contextOf) => {
      const ctx = values.all ? contextOf() : await tenantContext(contextOf, values.tenant);
      const tenantId = values.all ? null : ctx.tenantId;
      if (values.cancel)
        return say(`${await inOneTransaction(ctx, (db) => cancelRebuilds(db, tenantId))} rebuilds ended`);
      await inOneTransaction(ctx, (db) => startRebuilds(db, tenantId));
      return rebuild(ctx, tenantId, pace);
    });
  },
});

const inOneTransaction = <T>({ inTransaction }: UseCaseContext, work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(({ db }) => work(db));

/** The steps of this command, or of an aggregator, until the rebuild is done or cancelled. */
async function rebuild(ctx: UseCaseContext, tenantId: string | null, pace: number): Promise<void> {
  let [tasks, facts, figures, saidAtMs] = [0, 0, 0, performance.now()];
  for (let left = Infinity; left > 0;) {
    const endMs = performance.now() + 1_000;
    const result = await recountSome({ inTransaction: (_tenant, work) => ctx.inTransaction(work) }, pace);
    tasks += result.tasks;
    facts += result.correctedFacts;
    figures += result.correctedRollups;
    left = await inOneTransaction(ctx, (db) => countRebuilds(db, tenantId));
    if (left > 0) await sleep(Math.max(0, endMs - performance.now()));
    if (performance.now() - saidAtMs < progressMs) continue;
    saidAtMs = performance.now();
    say(`${tasks} tasks read, ${left} tenants left`);
  }
  say(`${tasks} tasks read, ${facts} facts and ${figures} daily figures corrected`);
}
