import type { Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';

export type AgentRef = { tenantId: string; id: string };
/** A sign of an agent: it called, and maybe waits in a claim. */
export type Sighting = AgentRef & { isWaiting: boolean };
/** An agent without a sign for that time. */
export type Departure = AgentRef & { silentMs: number };

/** Collects signs of agents, outside of the path of their calls. */
export type Sightings = {
  record(agent: AgentRef): void;
  /** The agent waits in a claim, and counts as seen until the returned function is called. */
  startWaiting(agent: AgentRef): () => void;
  /** Ends it: from then on all that were seen are gone. */
  close(): Promise<void>;
};

/** Records the agent whose key it is, of every caller that has one. */
export const recordCallers =
  (sightings: Pick<Sightings, 'record'>) =>
  ({ tenantId, actor }: Pick<Principal, 'tenantId' | 'actor'>): void => {
    if (actor.agentId !== undefined) sightings.record({ tenantId, id: actor.agentId });
  };

export type SightingOptions = {
  /** At once for the first sign of an agent; then with each interval for all that are seen, also when there is none. */
  see: (seen: readonly Sighting[]) => Promise<void>;
  /** In the same order as `see`, so that two processes cannot deadlock. */
  leave: (gone: readonly Departure[]) => Promise<void>;
  logger: Logger;
  intervalMs: number;
  /** An agent without a sign for that long is gone. */
  goneAfterMs: number;
};

/** An agent that is seen. `waiting`: its claims; `waitedLately`: it had one since the last interval began. */
type Seen = {
  agent: AgentRef;
  waiting: number;
  waitedLately: boolean;
  lastMs: number;
  written: 'no' | 'seen' | 'waiting';
};

const isWaiting = ({ waiting, waitedLately }: Seen): boolean => waiting > 0 || waitedLately;

/** Whether the row of the agent may say something else. */
const hasChange = (one: Seen): boolean => one.written === 'no' || (one.written === 'seen' && isWaiting(one));

export function createSightings({ see, leave, logger, intervalMs, goneAfterMs }: SightingOptions): Sightings {
  const seen = new Map<string, Seen>();
  let due = new Set<Seen>();
  let isTicking = false;
  let writing: Promise<void> | undefined;
  const ticking = setInterval(() => ((isTicking = true), flush()), intervalMs).unref();

  /** Records a sign of the agent, which may wait in one more claim. */
  function note(agent: AgentRef, claims: 0 | 1): Seen {
    const key = keyOf(agent);
    const one = seen.get(key) ?? { agent, waiting: 0, waitedLately: false, lastMs: 0, written: 'no' };
    seen.set(key, one);
    one.lastMs = performance.now();
    one.waiting += claims;
    if (hasChange(one)) {
      due.add(one);
      flush();
    }
    return one;
  }

  function flush(): void {
    writing ??= writeAll().finally(() => (writing = undefined));
  }

  /** Signs that arrive while a batch is written are part of the next one. */
  async function writeAll(): Promise<void> {
    // After the I/O events of this tick, so that calls read in one tick share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.size > 0 || isTicking) await writeDue();
  }

  async function writeDue(): Promise<void> {
    const isAll = isTicking;
    isTicking = false;
    if (isAll) await writeGone(goneAfterMs);
    const batch = inOrder(isAll ? seen.values() : due);
    due = new Set();
    const sightings = batch.map((one) => ({ ...one.agent, isWaiting: isWaiting(one) }));
    for (const one of batch) {
      one.written = isWaiting(one) ? 'waiting' : 'seen';
      if (isAll) one.waitedLately = false;
    }
    await see(sightings).catch((error: unknown) =>
      logger.warn({ err: error, agents: batch.length }, 'agent activity not recorded'),
    );
  }

  async function writeGone(afterMs: number): Promise<void> {
    const now = performance.now();
    const gone = inOrder(seen.values()).filter(({ waiting, lastMs }) => waiting === 0 && now - lastMs >= afterMs);
    if (gone.length === 0) return;
    for (const { agent } of gone) seen.delete(keyOf(agent));
    const departures = gone.map(({ agent, lastMs }) => ({ ...agent, silentMs: Math.round(now - lastMs) }));
    await leave(departures).catch((error: unknown) => {
      logger.warn({ err: error, agents: gone.length }, 'agents that left not recorded, will be again');
      for (const one of gone) if (!seen.has(keyOf(one.agent))) seen.set(keyOf(one.agent), one);
    });
  }

  return {
    record: (agent) => void note(agent, 0),
    startWaiting(agent) {
      const one = note(agent, 1);
      return () => {
        one.waiting -= 1;
        one.waitedLately = true;
        one.lastMs = performance.now();
      };
    },
    async close() {
      clearInterval(ticking);
      while (writing) await writing;
      for (const one of seen.values()) one.waiting = 0;
      await writeGone(0);
    },
  };
}

const keyOf = ({ tenantId, id }: AgentRef) => `${tenantId} ${id}`;

const inOrder = (some: Iterable<Seen>): Seen[] => [...some].sort((a, b) => (keyOf(a.agent) < keyOf(b.agent) ? -1 : 1));
