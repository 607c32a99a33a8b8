import { maxEventsPerJob, type Send } from '@eas/contracts';
import { createGatherer } from '@eas/db';
import { LRUCache } from 'lru-cache';

type Job<W> = { work: W; eventIds: readonly string[] };

/** Runs a job, joined with waiting ones of the same key. One of the callers gets the follow-up jobs. */
export type JoinJobs<W> = (key: string, job: Job<W>) => Promise<Send[]>;

/** Number of remembered keys; a forgotten one may briefly exceed `maxAtOnce`. */
const maxKeys = 1_000;

/**
 * Jobs that arrive while `maxAtOnce` of their key run are joined and run afterwards, up to the maximum size of a job. Two
 * at once: one may wait for the database while the other runs; more would only split the work into smaller transactions.
 */
export function createJoiner<W>(
  run: (work: W, eventIds: string[]) => Promise<Send[]>,
  { maxAtOnce }: { maxAtOnce: number },
): JoinJobs<W> {
  const gatherers = new LRUCache<string, (job: Job<W>, size: number) => Promise<Send[]>>({ max: maxKeys });
  const runJoined = async (jobs: readonly Job<W>[]) => {
    // The newest job has the most time left.
    const then = await run(jobs.at(-1)!.work, [...new Set(jobs.flatMap(({ eventIds }) => eventIds))]);
    return jobs.map((_, index) => ({ ok: true as const, value: index === 0 ? then : [] }));
  };
  return (key, job) => {
    let gather = gatherers.get(key);
    if (!gather) {
      gather = createGatherer(runJoined, { max: maxEventsPerJob, maxBytes: maxEventsPerJob, inFlight: maxAtOnce });
      gatherers.set(key, gather);
    }
    return gather(job, job.eventIds.length);
  };
}
