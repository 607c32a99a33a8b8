import { defaultTenantId } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import { createContext, type Database, openDatabase, type UseCaseContext } from '@eas/db';
import { createLogger } from '@eas/runtime';
import { type Claim, completeTask, createWaitingClaims, recordSightings, waitForClaim } from '@eas/tasks';
import { advanceAtOnce } from '@eas/workflows';

const logger = createLogger({ name: 'bench', level: 'error' });

/** A context of a tenant whose caller may act for every agent. */
export function contextOn(database: Database, tenantId = defaultTenantId): UseCaseContext {
  const parts = { database, logger, secrets: createSecretBox([Buffer.alloc(32).toString('base64')]) };
  return createContext(parts, { tenantId, actor: { id: 'bench', isAdmin: true } });
}

/** What the gateway's routes call, in this process: the same use cases and waiting claims, without HTTP. */
export type UseCases = {
  ctx: UseCaseContext;
  database: Database;
  /** Waits for a task; undefined when none came in time, or waiting was stopped. */
  claim(agentId: string): Promise<Claim | undefined>;
  complete(claim: Claim): Promise<void>;
  stopWaiting(): void;
  close(): Promise<void>;
};

export async function openUseCases(databaseUrl: string): Promise<UseCases> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 8, applicationName: 'bench agents', logger });
  const ctx = contextOn(database);
  database.consumeEarly('run.advance', (tx, events) => advanceAtOnce({ ...ctx, actor: { id: 'system' } }, tx, events));
  const closing = new AbortController();
  const sightings = recordSightings({ database, logger, leaseSeconds: ctx.leaseSeconds });
  const waitingClaims = createWaitingClaims(database.listener, closing.signal, sightings);
  return {
    ctx,
    database,
    claim: (agentId) => waitForClaim(ctx, waitingClaims, { agentId, waitMs: 30_000 }),
    async complete({ body: { lease } }) {
      const body = { fencing_token: lease.fencing_token, summary: 'done', result: { ok: true } };
      await completeTask(ctx, { leaseId: lease.lease_id, body });
    },
    stopWaiting: () => closing.abort(),
    async close() {
      closing.abort();
      await sightings.close();
      await database.close();
    },
  };
}

/** Agents that complete at once what they claim. `end` lets them finish what they have. */
export function startAgents({ claim, complete, stopWaiting }: UseCases, agentIds: readonly string[]) {
  let isOver = false;
  async function work(agentId: string): Promise<void> {
    while (!isOver) {
      const claimed = await claim(agentId);
      if (claimed) await complete(claimed);
    }
  }
  const working = Promise.all(agentIds.map(work));
  return {
    /** Rejects when an agent's call fails. */
    working,
    async end() {
      isOver = true;
      stopWaiting();
      await working;
    },
  };
}
