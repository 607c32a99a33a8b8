import { defaultTenantId } from '@eas/contracts';
import { eventually, outboxDrained, runsOf, startWebhookSink, useTestDatabase } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { describe, expect, it } from '@jest/globals';
import { createPatientClient } from '../patient-client.ts';
import { wipeQueueStore } from '../wreckage.ts';
import { liveAsAgent, wronglyGiven } from './agents.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { ableOfEachRole, hire, liveAsPerson } from './people.ts';
import { livePlatform } from './platform.ts';
import { followEvents, pollEvents } from './readers.ts';
import { breachesInTheEnd, breachesNow, newestEventId, unfinished } from './verdict.ts';
import { anyOf, createWorld, endMs, isActing, oneIn, pause, type World } from './world.ts';

const test = useTestDatabase();
/** By hand longer: STRESS_SECONDS=180. */
const seconds = Number(process.env['STRESS_SECONDS'] ?? runsOf(6, 60));
const agentCount = runsOf(15, 30);
const personCount = runsOf(4, 6);
/** Acts that a run must include, however slow the machine: it goes on until then. */
const mustHappen = ['claim 200', 'complete 200', 'create 201', 'start 201', 'answer 200', 'inbound 200'];
const settleMs = 60_000;

const step = (id: string, role: string, needs: string[] = []) => ({
  id,
  name: id,
  role,
  needs,
  timeout: 3_600,
  retry: { max_attempts: 10, backoff: 1 },
  task: { title: `${id} of {{run.name}}`, description: 'To be done.' },
});
const workflow = {
  name: 'Stress',
  description: 'Two branches and a join.',
  estimated_duration: '1 minute',
  steps: [
    step('plan', 'pm'),
    step('left', 'rd', ['plan']),
    { ...step('right', 'qa', ['plan']), approval: { role: 'rd' } },
    step('join', 'rd', ['left', 'right']),
  ],
};

/** A failure every few seconds: a process is killed, or the queue store wiped. Checks for violations in between. */
async function wreck(world: World, fleet: Fleet, redisUrl: string | undefined): Promise<void> {
  const scope = { db: test.database.db, tenantId: defaultTenantId };
  const startedAt = performance.now();
  const isOver = () => {
    const passedMs = performance.now() - startedAt;
    return passedMs > endMs + seconds * 1_000 || (passedMs > seconds * 1_000 && unseen(world).length === 0);
  };
  while (!isOver()) {
    await pause(2_000 + Math.random() * 3_000);
    const isWipe = oneIn(4);
    if (isWipe) await wipeQueueStore(test.database, redisUrl);
    const blow = isWipe ? 'wipe' : `kill ${fleet.killAny()}`;
    world.counts[blow] = (world.counts[blow] ?? 0) + 1;
    world.violations.push(...(await breachesNow(scope)));
  }
}

const unseen = ({ counts }: World) => mustHappen.filter((act) => !counts[act]);

/** All actors act for the time of the test, then complete what was begun. */
async function live(world: World, fleet: Fleet, redisUrl: string | undefined) {
  const clientOf = (apiKey: string) => createPatientClient({ baseUrls: fleet.baseUrls, apiKey });
  const living: Promise<void>[] = [];
  const bear = (agent: Awaited<ReturnType<typeof hire>>) => agent && living.push(liveAsAgent(world, agent));
  const able = ableOfEachRole();
  for (let n = 0; n < agentCount; n += 1) bear(await hire(world, clientOf, able[n]));
  const born = new Set(world.agents);
  const reading = [pollEvents(world), followEvents(world, fleet)];
  const people = Array.from({ length: personCount }, () => liveAsPerson(world, clientOf));
  const platform = livePlatform(world, fleet.baseUrls);
  // Those that people hire later live as well.
  const births = (async () => {
    while (isActing(world)) {
      for (const agent of world.agents) if (!born.has(agent)) bear((born.add(agent), agent));
      await pause(100);
    }
  })();
  await wreck(world, fleet, redisUrl);
  world.phase = 'calm';
  const truth = await platform;
  const scope = { db: test.database.db, tenantId: defaultTenantId };
  await eventually(async () => (await unfinished(scope)).length === 0, endMs).catch(async () => {
    for (const one of await unfinished(scope)) world.violations.push(`never ends: ${JSON.stringify(one)}`);
  });
  await outboxDrained(test.database, { timeoutMs: endMs });
  world.phase = 'over';
  await Promise.all([...living, ...people, births]);
  await outboxDrained(test.database, { timeoutMs: endMs });
  world.lastEventId = await newestEventId(scope);
  const timer = setTimeout(() => (world.phase = 'closed'), endMs);
  const readings = await Promise.all(reading);
  clearTimeout(timer);
  return { truth, readings };
}

describe(`${agentCount} agents, ${personCount} people, workflows and a platform at two gateways and two orchestrators, with queues on ${queueBackEnd.kind}`, () => {
  it(
    `keep every rule for ${seconds} s in which processes are killed and queues are wiped`,
    async () => {
      const redisUrl = ownRedisDatabase(6);
      const sink = await startWebhookSink();
      const fleet = await startFleet({ DATABASE_URL: test.url, REDIS_URL: redisUrl });
      const world = createWorld(createPatientClient(fleet));
      try {
        const subscription = { url: `${sink.url}/hook`, events: ['*'], secret: 'the secret of the subscriber' };
        expect((await world.client.post('/v1/webhooks', subscription)).status).toBe(201);
        const made = await world.client.post('/v1/workflows', workflow);
        world.workflowIds.push(made.body.id);
        const { truth, readings } = await live(world, fleet, redisUrl);
        world.violations.push(...wronglyGiven(world));
        const scope = { db: test.database.db, tenantId: defaultTenantId };
        const undelivered = "SELECT FROM deliveries WHERE status <> 'delivered'";
        await eventually(async () => (await scope.db.query(undelivered)).length === 0, endMs).catch(() => {});
        // What a clock does by itself, such as an agent that is no longer seen, may still be on its way.
        let breaches: string[] = [];
        const findBreaches = async () => (breaches = await breachesInTheEnd(scope, world, truth, readings));
        await eventually(async () => (await findBreaches()).length === 0, settleMs).catch(() => {});
        world.violations.push(...breaches);
        const sent = new Set(sink.requests.map(({ headers }) => headers['webhook-id']));
        for (const id of readings[0]?.ids ?? []) if (!sent.has(id)) world.violations.push(`never delivered: ${id}`);
      } finally {
        world.phase = 'closed';
        await fleet.stop();
        await sink.close();
        process.stdout.write(`[stress] ${JSON.stringify(world.counts)}\n`);
      }
      expect(world.violations).toEqual([]);
      expect(unseen(world)).toEqual([]);
      expect(anyOf(Object.keys(world.counts).filter((key) => /^(kill|wipe)/.test(key)))).toBeDefined();
    },
    seconds * 1_000 + 3 * endMs,
  );
});
