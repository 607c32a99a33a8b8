import { metricApps, metricCatalogue, type MetricApp, type MetricDef } from '@eas/contracts';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const test = useTestDatabase();
/** A text in the form of an id, or one that this test used. */
const unbounded = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b|watched|127\.0\.0\.1/;
const samplePattern = /^(?<name>[a-z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
type Sample = { name: string; labels: Record<string, string>; value: number };
type Scrape = { types: Map<string, string>; samples: Sample[] };
const scrapes = new Map<MetricApp, Scrape>();
let system: System;
let sink: WebhookSink;

function parse(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type?.[1] && type[2]) types.set(type[1], type[2]);
    const { name, labels = '', value } = samplePattern.exec(line)?.groups ?? {};
    if (!name) continue;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [label, of]);
    samples.push({ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
  }
  return { types, samples };
}

async function scrape(app: MetricApp): Promise<Scrape> {
  const url = new URL('/metrics', system.baseUrl);
  url.port = String(Number(url.port) + 2 + metricApps.indexOf(app));
  return parse(await (await fetch(url)).text());
}

async function call(path: string, body?: object): Promise<{ status: number; body: Record<string, string> }> {
  const init = { headers: { 'x-api-key': system.apiKey, 'content-type': 'application/json' } };
  const response = await fetch(
    system.baseUrl + path,
    body ? { ...init, method: 'POST', body: JSON.stringify(body) } : init,
  );
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const samplesOf = (app: MetricApp, name: string) =>
  (scrapes.get(app)?.samples ?? []).filter((sample) => sample.name === name);
const totalOf = (app: MetricApp, name: string) => samplesOf(app, name).reduce((sum, { value }) => sum + value, 0);

beforeAll(async () => {
  sink = await startWebhookSink();
  system = await startSystem({
    DATABASE_URL: test.url,
    REDIS_URL: ownRedisDatabase(13),
    BUILD_COMMIT: 'abc123',
    DATABASE_DISK_GB: '250',
  });
  await call('/v1/webhooks', { url: sink.url, events: ['task.*'], secret: 'a secret of sixteen' });
  await call('/v1/tasks', { title: 'watched', description: 'watched', assigned_role: 'rd' });
  const { body: agent } = await call('/v1/agents', { name: 'watched', role: 'rd' });
  await claimFor(createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey }), agent['id'] ?? '');
  await call('/v1/tasks/watched');
  await call('/webhook/taskplatform', { event: 'taskCreated', task_id: 'watched', webhook_id: 'watched' });
  await sink.waitFor(({ body }) => body.toString().includes('task.started'));
  await eventually(async () => {
    for (const app of metricApps) scrapes.set(app, await scrape(app));
    const isReady = (app: MetricApp) => samplesOf(app, 'eas_ready').every(({ value }) => value === 1);
    return (
      // On a busy machine a store may respond late once.
      metricApps.every(isReady) &&
      totalOf('workflow-orchestrator', 'eas_db_disk_used_bytes') > 0 &&
      totalOf('webhook-dispatcher', 'eas_delivery_latency_seconds_count') >= 2 &&
      samplesOf('workflow-orchestrator', 'eas_tasks').some(
        ({ labels, value }) => labels['status'] === 'in_progress' && value > 0,
      ) &&
      totalOf('analytics-aggregator', 'eas_jobs_total') > 0
    );
  });
});
afterAll(async () => {
  await system?.stop();
  await sink?.close();
});

describe.each(metricApps)('/metrics of %s', (app) => {
  const expected = Object.entries<MetricDef>(metricCatalogue).filter(([, { apps }]) => apps.includes(app));

  it('has the metrics of the catalogue, and no others of ours, with their types', () => {
    const ours = [...(scrapes.get(app)?.types ?? [])].filter(([name]) => !/^(process|nodejs)_/.test(name));
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected.map(([name, { type }]) => [name, type])));
  });

  it('has the labels of the catalogue on every series, and none with an unbounded value', () => {
    const wrong = [];
    for (const [name, { labels = [], type }] of expected) {
      const names = type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
      for (const sample of names.flatMap((one) => samplesOf(app, one))) {
        const own = Object.keys(sample.labels).filter((label) => label !== 'le');
        if (own.sort().join() !== [...labels].sort().join()) wrong.push(sample);
        if (Object.values(sample.labels).some((value) => unbounded.test(value))) wrong.push(sample);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('says that it reaches its stores, and that no loop fails', () => {
    const ready = samplesOf(app, 'eas_ready');
    expect(ready.map(({ labels }) => labels['check'])).toContain('database');
    expect(ready.filter(({ value }) => value !== 1)).toEqual([]);
    expect(samplesOf(app, 'eas_loop_failed_runs').filter(({ value }) => value !== 0)).toEqual([]);
  });

  it('says which build runs and how its database connections are used', () => {
    expect(samplesOf(app, 'eas_build_info')).toEqual([
      { name: 'eas_build_info', labels: { version: expect.stringMatching(/^\d+\./), commit: 'abc123' }, value: 1 },
    ]);
    const max = totalOf(app, 'eas_db_connections_max');
    expect(max).toBeGreaterThan(0);
    expect(totalOf(app, 'eas_db_connections')).toBeLessThanOrEqual(max);
  });
});

describe('a task that was created, claimed and reported', () => {
  it('was timed from its creation to its claim', () => {
    expect(totalOf('api-gateway', 'eas_claim_latency_seconds_count')).toBe(1);
  });

  it('has its events relayed, its deliveries timed and is counted by its status', () => {
    expect(totalOf('workflow-orchestrator', 'eas_relay_lag_seconds_count')).toBeGreaterThan(0);
    const lateness = samplesOf('webhook-dispatcher', 'eas_delivery_lateness_seconds_count');
    expect(lateness.map(({ labels }) => labels['cause'])).toContain('queue');
    const inProgress = samplesOf('workflow-orchestrator', 'eas_tasks').filter(
      ({ labels }) => labels['status'] === 'in_progress',
    );
    expect(inProgress.map(({ value }) => value)).toEqual([1]);
  });

  it('leaves one depth and one age for each queue', () => {
    const queues = samplesOf('workflow-orchestrator', 'eas_queue_oldest_seconds').map(({ labels }) => labels['queue']);
    expect(queues.sort()).toEqual(['analytics', 'webhooks', 'workflow']);
    expect(samplesOf('workflow-orchestrator', 'eas_queue_jobs')).toHaveLength(12);
  });
});

describe('the stores', () => {
  const valuesOf = (name: string, label: string) =>
    Object.fromEntries(
      samplesOf('workflow-orchestrator', name).map(({ labels, value }) => [labels[label] ?? '', value] as const),
    );

  it('say how many connections are open, and how far old transactions and dead rows are from trouble', () => {
    const [open, max] = ['', '_max'].map((end) => totalOf('workflow-orchestrator', `eas_db_server_connections${end}`));
    expect(open).toBeGreaterThan(5);
    expect(max).toBeGreaterThan(open ?? 0);
    expect(Object.keys(valuesOf('eas_db_oldest_transaction_seconds', 'kind')).sort()).toEqual(['prepared', 'session']);
    const holders = Object.keys(valuesOf('eas_db_held_back_transactions', 'holder'));
    expect(holders.sort()).toEqual(['prepared', 'session', 'slot', 'standby']);
    const [unfrozen, limit] = ['', '_max'].map((end) => valuesOf(`eas_db_unfrozen_transactions${end}`, 'kind'));
    expect(unfrozen?.['transaction']).toBeLessThan(limit?.['transaction'] ?? 0);
    expect(valuesOf('eas_db_rows', 'state')['live']).toBeGreaterThan(0);
    expect(Object.keys(valuesOf('eas_db_worst_table_rows', 'state')).sort()).toEqual(['dead', 'live']);
  });

  it('say what they take, next to the disk and the memory that they have', () => {
    expect(totalOf('workflow-orchestrator', 'eas_db_disk_bytes')).toBe(250e9);
    expect(valuesOf('eas_db_disk_used_bytes', 'part')['database']).toBeGreaterThan(1_000_000);
    const redis = ['used', 'max'].map((end) => totalOf('workflow-orchestrator', `eas_redis_memory_${end}_bytes`));
    expect(redis.map((bytes) => bytes > 100_000)).toEqual(
      queueBackEnd.kind === 'redis' ? [true, true] : [false, false],
    );
  });

  it('name no backup where none was recorded', () => {
    expect(samplesOf('workflow-orchestrator', 'eas_backup_last_success_timestamp_seconds')).toEqual([]);
  });
});
