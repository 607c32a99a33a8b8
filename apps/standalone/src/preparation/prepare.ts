import { once } from 'node:events';
import { StartError, unusable } from '@eas/core';
import { checkDatabase, explainRefusal } from '@eas/db/admin';
import { SettingsError } from '@eas/runtime';
import { loadConfig } from '../config.ts';
import { checkSettings } from './check-settings.ts';
import type { Prepared, PrepareOrder, PrepareReport } from './prepare-database.ts';

process.once('disconnect', () => process.exit(1));
const config = loadConfig();
const order = once(process, 'message') as Promise<[PrepareOrder]>;
const checked = await report(async () => {
  const variables = await checkSettings(config);
  if (config.databaseUrl) await checkDatabase(config.databaseUrl);
  if (config.databaseDirectUrl) await checkDatabase(config.databaseDirectUrl, 'DATABASE_DIRECT_URL');
  if (config.migrateDatabaseUrl) await checkDatabase(config.migrateDatabaseUrl, 'MIGRATE_DATABASE_URL');
  if (config.redis.url) await checkRedis(config.redis.url);
  return { isChecked: true, variables };
});
if ('isChecked' in checked) {
  const [given] = await order;
  await report(() => prepare(given));
}
process.exit(0);

async function report(work: () => Promise<PrepareReport>): Promise<PrepareReport> {
  const result = await work().catch((error: unknown) => ({ sentence: explain(error) }));
  await new Promise<void>((resolve) => process.send?.(result, () => resolve()));
  return result;
}

/** What it needs is loaded while Postgres starts: the order comes when that is up. */
async function prepare(given: PrepareOrder): Promise<Prepared> {
  const { migrateAndSeed } = await import('./migrate-and-seed.ts');
  return migrateAndSeed(config, given).catch((error: unknown) => {
    throw explainRefusal(error, { url: given.migrateUrl, setting: given.setting, isOwner: true });
  });
}

async function checkRedis(url: string): Promise<void> {
  const { connectRedis } = await import('@eas/queue/redis-connection');
  let redis: ReturnType<typeof connectRedis> | undefined;
  try {
    redis = connectRedis(url, 'producer', () => {});
    if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    throw unusable('Redis', 'REDIS_URL', url, error);
  } finally {
    redis?.disconnect();
  }
}

function explain(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof StartError || error instanceof SettingsError) return message;
  return `The database cannot be prepared: ${(message || String(error)).replace(/\.$/, '')}.`;
}
