import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@eas/testing/redis-server';
import { makeTenantKeys } from '../../abuse/tenant-keys.ts';
import { readStages, type Stages } from '../../deliveries/delivery-stages.ts';
import { type PacedClient, type PacedResult, startPacedClients } from '../../deliveries/paced-load.ts';
import { postEvents, taskCreation } from '../../deliveries/publish.ts';
import { startSink } from '../../deliveries/start-sink.ts';
import { workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Scenario } from '../../harness/bench.ts';
import { postJson } from '../../harness/post-json.ts';
import { quantile, say, table } from '../../harness/report.ts';

const events = Number(process.env['BENCH_EVENTS'] ?? 100_000);
/** Of the two in turns. */
const everyMs = 25;
const idleSeconds = 20;
/** Of the burst that leaves some of both processors free: what Svix accepts on such a machine. */
const perSecond = Number(process.env['BENCH_RATE'] ?? 700);
const hangMs = 10_000;
/** Maximum ratio of the p99 under attack to the idle one. */
const maxRatio = 2;
/** The number of tasks that get the comments in turns. */
const taskCount = 20;
const secret = 'the secret of the bench';

export const scenario: Scenario = {
  name: 'delivery-neighbours',
  about: `other endpoints, of the same tenant and of another one, while two are dead and one endpoint gets ${perSecond} events a second, or ${events} as fast as they can be made`,
  async run(bench) {
    const { apps } = bench;
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const { url } = gateway;
    const [burst, hanging] = [await startSink(), await startSink({ delayMs: hangMs })];
    const [steady, neighbours] = [await startPacedClients(), await startPacedClients()];
    const subscribe = (apiKey: string, to: string, event: string) =>
      postJson(`${url}/v1/webhooks`, apiKey, { url: to, events: [event], secret });
    try {
      const { keys: otherKeys } = await makeTenantKeys(bench, `neighbour ${Date.now()}`);
      const all = [await makeNeighbour('same', url, [apps.apiKey]), await makeNeighbour('other', url, otherKeys)];
      const endpointIds: string[] = [];
      for (const { name, apiKeys } of all) {
        const { id } = await subscribe(apiKeys[0] ?? '', `${neighbours.url}/${name}`, 'task.commented');
        endpointIds.push(String(id));
      }
      await sleep(1_000);
      const measure = async (during: () => Promise<unknown>) => {
        const since = new Date();
        neighbours.begin({ url, everyMs, clients: all });
        await during();
        const results = await neighbours.end();
        const stages = await Promise.all(endpointIds.map((id) => readStages(bench.stores.database.db, id, since)));
        return results.map((result, index) => ({ ...result, stages: stages[index] }));
      };
      await measure(() => sleep(5_000));
      const idle = await measure(() => sleep(idleSeconds * 1_000));
      // Of the five endpoints then there are, one refuses connections and one hangs.
      await subscribe(apps.apiKey, `http://127.0.0.1:${await findFreePort()}/`, 'task.commented');
      await subscribe(apps.apiKey, hanging.url, 'task.commented');
      const dead = await measure(() => sleep(idleSeconds * 1_000));
      const { id: steadyId } = await subscribe(apps.apiKey, `${steady.url}/burst`, 'task.created');
      const client: PacedClient = { name: 'burst', apiKeys: [apps.apiKey], paths: ['/v1/tasks'], field: 'title' };
      steady.begin({ url, everyMs: 1_000 / perSecond, clients: [client] });
      await sleep(5_000);
      const busy = await measure(() => sleep(idleSeconds * 1_000));
      const [own] = await steady.end();
      say(`  ${own?.receivedMs.length ?? 0} of the burst delivered, ${own?.missing ?? 0} missing`);
      await postJson(`${url}/v1/webhooks/${String(steadyId)}/disable`, apps.apiKey, {});
      await subscribe(apps.apiKey, burst.url, 'task.created');
      const attack = { ...taskCreation(url, apps.apiKey, 512), connections: 64, count: events, isPatient: true };
      const attacked = await measure(async () => {
        const { seconds, statuses } = await postEvents(attack);
        const { count } = await burst.count();
        say(
          `  ${Math.round(events / seconds)} events a second created ${JSON.stringify(statuses)}, ${count} delivered in that time`,
        );
      });
      if (!report({ idle, dead, busy, attacked })) process.exitCode = 1;
    } finally {
      for (const one of [burst, hanging, steady, neighbours]) one.stop();
      await apps.stopAll();
      await clearTables(bench);
    }
  },
};

async function makeNeighbour(name: string, url: string, apiKeys: readonly string[]): Promise<PacedClient> {
  const [apiKey = ''] = apiKeys;
  const paths: string[] = [];
  for (let number = 0; number < taskCount; number += 1) {
    const { id } = await postJson(`${url}/v1/tasks`, apiKey, { title: 'Commented', description: 'Commented on.' });
    paths.push(`/v1/tasks/${String(id)}/comments`);
  }
  return { name, apiKeys, paths, field: 'content' };
}

type Measured = PacedResult & { stages: Stages | undefined };
type Phases = Record<'idle' | 'dead' | 'busy' | 'attacked', Measured[]>;

const stageNames = ['fan-out p50', 'fan-out p99', 'sending p50', 'sending p99'];

/** Returns whether the p99 is within its limit. */
function report({ idle, dead, busy, attacked }: Phases): boolean {
  const p99 = (result: Measured | undefined) => quantile(result?.receivedMs ?? [], 0.99);
  const rows = idle.flatMap((before, index) =>
    [
      ['idle', before] as const,
      ['dead endpoints', dead[index]] as const,
      [`and ${perSecond} a second`, busy[index]] as const,
      ['and a burst', attacked[index]] as const,
    ].map(([phase, now]) => [
      `${before.name} tenant, ${phase}`,
      now?.receivedMs.length ?? 0,
      now?.missing ?? 0,
      ...[0.5, 0.99].map((share) => quantile(now?.acceptedMs ?? [], share)),
      ...[0.5, 0.99].map((share) => quantile(now?.receivedMs ?? [], share)),
      (p99(now) / p99(before)).toFixed(2),
      ...Object.values(now?.stages ?? {}),
    ]),
  );
  table([
    ['', 'webhooks', 'missing', '201 p50', '201 p99', 'webhook p50', 'webhook p99', 'of idle p99', ...stageNames],
    ...rows,
  ]);
  say('  in ms; webhook: from the 201 on; fan-out: from the event to its delivery; sending: from there to the request');
  const isGood = idle.every((before, index) =>
    [dead[index], busy[index], attacked[index]].every(
      (now) => now?.missing === 0 && p99(now) <= maxRatio * p99(before),
    ),
  );
  if (!isGood) say(`  FAILED: a webhook is missing, or a p99 is more than ${maxRatio} times the idle one`);
  return isGood;
}
