import { setTimeout as sleep } from 'node:timers/promises';
import { doAsChild } from './child-task.ts';
import type { AgentLoad, AgentLoadResult, Quantiles } from './agent-load.ts';
import { openConnection } from './open-connection.ts';
import { quantile } from './report.ts';
import { type BenchAgent, benchTask, claim, complete, expectStatus } from './work-task.ts';

/** A refused agent waits instead of asking in a busy loop. */
const errorPauseMs = 200;
/** With this number of errors the bench itself is wrong. */
const maxErrors = 1_000;
const longestWaitSeconds = 20;

function newTally() {
  return {
    create: [] as number[],
    claim: [] as number[],
    complete: [] as number[],
    handedOut: new Set<string>(),
    doubles: 0,
    empty: 0,
    errors: {} as Record<string, number>,
  };
}
type Tally = ReturnType<typeof newTally>;

const countErrors = ({ errors }: Tally) => Object.values(errors).reduce((sum, count) => sum + count, 0);

function turnOf(load: AgentLoad, agent: BenchAgent, tally: Tally): { turn: () => Promise<void>; close: () => void } {
  let connection = openConnection(load.url);
  /** The first claim opens the connection and loads the agent's key. */
  let isFirst = true;
  const task = benchTask(load.role);

  async function work(): Promise<void> {
    if (load.work.kind === 'cycles') {
      const created = await connection.send('POST', '/v1/tasks', load.apiKey, task);
      expectStatus(created, 201);
      tally.create.push(created.tookMs);
    }
    const waitSeconds = load.work.kind === 'wait' ? Math.min(load.work.seconds, longestWaitSeconds) : 1;
    const { claimed, reply } = await claim(connection, agent, waitSeconds);
    if (!claimed) return void (tally.empty += 1);
    if (!isFirst) tally.claim.push(reply.tookMs);
    isFirst = false;
    if (tally.handedOut.has(claimed.task.id)) tally.doubles += 1;
    tally.handedOut.add(claimed.task.id);
    tally.complete.push((await complete(connection, agent, claimed)).tookMs);
  }

  async function turn(): Promise<void> {
    try {
      await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      tally.errors[text] = (tally.errors[text] ?? 0) + 1;
      connection.close();
      await sleep(errorPauseMs);
      connection = openConnection(load.url);
    }
  }
  return { turn, close: () => connection.close() };
}

async function run(load: AgentLoad): Promise<AgentLoadResult> {
  const { work, agents } = load;
  const tally = newTally();
  const startedAt = performance.now();
  const over = new AbortController();
  const everyMs = work.kind === 'drain' && work.perSecond ? (agents.length * 1_000) / work.perSecond : 0;
  if (work.kind !== 'drain') setTimeout(() => over.abort(), work.seconds * 1_000);
  let lastAt = startedAt;

  async function runAgent(agent: BenchAgent, index: number): Promise<void> {
    const { turn, close } = turnOf(load, agent, tally);
    // Paced agents begin one after another, and keep to their times however long a turn takes.
    for (let nextAt = startedAt + (everyMs * index) / agents.length; ; nextAt += everyMs) {
      const waitMs = nextAt - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return close();
      const before = tally.complete.length;
      await turn();
      if (tally.complete.length > before) lastAt = performance.now();
      const isDone = work.kind === 'drain' && tally.complete.length >= work.tasks;
      if (isDone || countErrors(tally) > maxErrors) over.abort();
    }
  }

  await Promise.all(agents.map(runAgent));
  const quantiles = (times: number[]): Quantiles => ({ p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) });
  return {
    seconds: (lastAt - startedAt) / 1_000,
    completed: tally.complete.length,
    doubles: tally.doubles,
    empty: tally.empty,
    errors: tally.errors,
    create: quantiles(tally.create),
    claim: quantiles(tally.claim),
    complete: quantiles(tally.complete),
  };
}

doAsChild<AgentLoad>(run);
