import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { startChild } from '../../harness/child-task.ts';
import { type Holder, holdTask, type Sign, timeOf } from '../../harness/hold-task.ts';
import { makeAgents } from '../../harness/make-agents.ts';
import { openConnection } from '../../harness/open-connection.ts';
import { postJson } from '../../harness/post-json.ts';
import { quantile, table } from '../../harness/report.ts';
import { benchTask, claim, complete } from '../../harness/work-task.ts';

const killedCount = Number(process.env['BENCH_KILLED'] ?? 50);
const keptCount = Number(process.env['BENCH_KEPT'] ?? 20);
/** Twice the sweep's longest pause: a shorter lease would be swept more often than one of the usual length. */
const leaseMs = 10_000;
const leaseTimes = 10;
/** From the end of a lease until another agent has the task. */
const allowedMs = 6_000;
/** The number of processes over which the agents to be killed are spread. */
const processCount = 5;
const role = 'lost-leases';

export const scenario: Scenario = {
  name: 'lost-leases',
  about: `${killedCount} agents are killed at work, ${keptCount} heartbeat through ${leaseTimes} leases of ${leaseMs / 1_000} s`,
  async run(bench) {
    const { apps } = bench;
    const { killed, keeping, waiting } = await prepare(bench);
    const story: Story = { killed: new Map(), kept: new Map(), handouts: [] };
    const over = new AbortController();
    const children = startMortal(killed, story);
    try {
      const kept = Promise.allSettled(keeping.map((holder) => holdTask(holder, recordIn(story.kept))));
      await untilAllClaimed(story);
      const others = Promise.all(waiting.map((agent) => takeWork(agent, over.signal, story)));
      const lived = Promise.all([kept, killOneByOne(children)]);
      await Promise.race([lived, others]);
      over.abort();
      await others;
      const [outcomes] = await lived;
      report(story, outcomes);
    } finally {
      over.abort();
      for (const child of children) child.kill('SIGKILL');
    }
    await apps.stopAll();
    await clearTables(bench);
  },
};

type Signs = Map<string, Sign[]>;

/** What agents saw: the signs of life that were accepted, by task, and what was handed to those that waited. */
type Story = { killed: Signs; kept: Signs; handouts: { taskId: string; at: number }[] };

const recordIn = (signs: Signs) => (sign: Sign) =>
  void signs.set(sign.taskId, [...(signs.get(sign.taskId) ?? []), sign]);

async function prepare({ apps }: Bench) {
  const names = ['api-gateway', 'api-gateway', 'webhook-receiver', ...workerApps] as const;
  const [gateway, other] = await apps.startAll(names, { LEASE_SECONDS: String(leaseMs / 1_000) });
  if (!gateway || !other) throw new Error('the gateways did not start');
  const agents = await makeAgents(gateway.url, apps.apiKey, role, killedCount + keptCount + killedCount);
  for (let made = 0; made < killedCount + keptCount; made += 1)
    await postJson(`${gateway.url}/v1/tasks`, apps.apiKey, benchTask(role));
  const holders = agents.map((agent, index): Holder => ({ url: (index % 2 ? gateway : other).url, agent, leaseMs }));
  return {
    killed: holders.splice(0, killedCount),
    keeping: holders.splice(0, keptCount).map((holder) => ({ ...holder, lifeMs: leaseTimes * leaseMs })),
    waiting: holders,
  };
}

function startMortal(holders: Holder[], { killed }: Story): ChildProcess[] {
  return Array.from({ length: processCount }, (_, number) => {
    const own = holders.filter((_, index) => index % processCount === number);
    const child = startChild('mortal-agents.ts', { holders: own });
    return child.on('message', (sign) => recordIn(killed)(sign as Sign));
  });
}

async function untilAllClaimed({ killed, kept }: Story): Promise<void> {
  for (const endsAt = performance.now() + 30_000; killed.size < killedCount || kept.size < keptCount;) {
    if (performance.now() > endsAt) throw new Error(`only ${killed.size + kept.size} agents got a task within 30 s`);
    await sleep(50);
  }
}

/** The pause is no multiple of the sweep's, so that leases end at every moment between two sweeps. */
async function killOneByOne(children: ChildProcess[]): Promise<void> {
  await sleep(leaseMs);
  for (const child of children) {
    await sleep(1.1 * leaseMs);
    child.kill('SIGKILL');
  }
}

async function takeWork({ url, agent }: Holder, over: AbortSignal, { handouts }: Story): Promise<void> {
  const connection = openConnection(url);
  over.addEventListener('abort', () => connection.close());
  try {
    for (;;) {
      const { claimed, reply } = await claim(connection, agent, 30);
      if (!claimed) continue;
      handouts.push({ taskId: claimed.task.id, at: timeOf(reply) });
      await complete(connection, agent, claimed);
    }
  } catch (error) {
    if (!over.aborted) throw error;
  }
}

/** Prints the results of all tasks; throws when one was lost or ran twice. */
function report({ killed, kept, handouts }: Story, outcomes: PromiseSettledResult<void>[]): void {
  const handedTo = (taskId: string) => handouts.filter((handout) => handout.taskId === taskId);
  const ends = [...killed].map(([taskId, signs]) => {
    const [sign, [first, ...more]] = [signs.at(-1) as Sign, handedTo(taskId)];
    const isEarly = first !== undefined && first.at < sign.sentAt + leaseMs;
    return { isDouble: isEarly || more.length > 0, overMs: first && first.at - sign.receivedAt - leaseMs };
  });
  const overMs = ends.flatMap((end) => end.overMs ?? []);
  const [never, doubles] = [ends.length - overMs.length, ends.filter(({ isDouble }) => isDouble).length];
  const lives = [...kept.values()].map((signs) => (signs.at(-1)?.receivedAt ?? 0) - (signs[0]?.receivedAt ?? 0));
  const taken = [...kept.keys()].filter((taskId) => handedTo(taskId).length > 0).length;
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  table([
    [
      'agents killed',
      'never reassigned',
      'reassigned twice or early',
      'over the lease p50 ms',
      'p99',
      'max',
      'allowed',
    ],
    [ends.length, never, doubles, ...[0.5, 0.99, 1].map((share) => quantile(overMs, share)), allowedMs],
  ]);
  table([
    ['agents that heartbeat', 'lease times, least', 'handed to others', 'completed'],
    [outcomes.length, Math.min(...lives) / leaseMs, taken, outcomes.length - errors.length],
  ]);
  if (never + doubles + taken + errors.length > 0)
    throw new Error(['tasks were lost or ran twice', ...new Set(errors)].join('\n'));
}
