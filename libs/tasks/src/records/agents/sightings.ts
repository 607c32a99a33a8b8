import type { Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';

export type AgentRef = { tenantId: string; id: string };
/** A sign of an agent: it called, and maybe waits in a claim. */
export type Sighting = AgentRef & { isWaiting: boolean };

/** Collects which agents give a sign of themselves, off the path of their calls. */
export type Sightings = {
  record(agent: AgentRef): void;
  /** The agent waits in a claim, and is seen all the while, until what is returned is called. */
  startWaiting(agent: AgentRef): () => void;
  close(): Promise<void>;
};

/** Records the agent whose key it is, of every caller that has one. */
export const recordCallers =
  (sightings: Pick<Sightings, 'record'>) =>
  ({ tenantId, actor }: Pick<Principal, 'tenantId' | 'actor'>): void => {
    if (actor.agentId !== undefined) sightings.record({ tenantId, id: actor.agentId });
  };

export type SightingOptions = {
  /** Gets each agent at most once, in one order everywhere: two processes never wait for each other in a circle. */
  write: (seen: readonly Sighting[]) => Promise<void>;
  logger: Logger;
  /** An agent that keeps calling is written about once in that time; the first sign of one is written at once. */
  intervalMs: number;
};

export function createSightings({ write, logger, intervalMs }: SightingOptions): Sightings {
  const waiting = new Map<string, { agent: AgentRef; claims: number }>();
  /** Agents written since the last tick, and whether as waiting. */
  const written = new Map<string, boolean>();
  const [due, later] = [new Map<string, AgentRef>(), new Map<string, AgentRef>()];
  let writing: Promise<void> | undefined;
  const ticking = setInterval(tick, intervalMs).unref();

  function record(agent: AgentRef): void {
    const key = keyOf(agent);
    const isNews = !written.has(key) || (waiting.has(key) && !written.get(key));
    if (!isNews) return void later.set(key, agent);
    due.set(key, agent);
    flush();
  }

  function tick(): void {
    for (const [key, agent] of later) due.set(key, agent);
    for (const [key, { agent }] of waiting) due.set(key, agent);
    later.clear();
    written.clear();
    flush();
  }

  function flush(): void {
    writing ??= writeAll().finally(() => (writing = undefined));
  }

  /** What comes while a batch is written travels in the next one. */
  async function writeAll(): Promise<void> {
    // After the I/O events of this turn, so that calls read in one turn travel together.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.size > 0) await writeDue();
  }

  async function writeDue(): Promise<void> {
    const batch = [...due].sort(([a], [b]) => (a < b ? -1 : 1));
    due.clear();
    const seen = batch.map(([key, agent]) => ({ ...agent, isWaiting: waiting.has(key) }));
    for (const one of seen) written.set(keyOf(one), one.isWaiting);
    await write(seen).catch((error: unknown) =>
      logger.warn({ err: error, agents: seen.length }, 'agent activity not recorded'),
    );
  }

  return {
    record,
    startWaiting(agent) {
      const key = keyOf(agent);
      const entry = waiting.get(key) ?? { agent, claims: 0 };
      waiting.set(key, entry);
      entry.claims += 1;
      record(agent);
      return () => {
        entry.claims -= 1;
        if (entry.claims === 0) waiting.delete(key);
        later.set(key, agent);
      };
    },
    async close() {
      clearInterval(ticking);
      tick();
      while (writing) await writing;
    },
  };
}

const keyOf = ({ tenantId, id }: AgentRef) => `${tenantId} ${id}`;
