import { maxEventsPerJob, type Send } from '@eas/contracts';
import { createGatherer } from '@eas/db';
import { LRUCache } from 'lru-cache';

type Job<W> = { work: W; eventIds: readonly string[] };

/** Works a job, joined with others of the same key that wait. One of the callers gets the jobs that follow. */
export type JoinJobs<W> = (key: string, job: Job<W>) => Promise<Send[]>;

/** Of a key: one may wait for the database while the other works. More would be more and smaller transactions. */
const maxAtOnce = 2;
/** Keys that are remembered; of one that is forgotten a little more may be worked at once. */
const maxKeys = 1_000;

/** Jobs that come while those of their key are worked are worked together afterwards, up to what one job may carry. */
export function createJoiner<W>(run: (work: W, eventIds: string[]) => Promise<Send[]>): JoinJobs<W> {
  const gatherers = new LRUCache<string, (job: Job<W>, size: number) => Promise<Send[]>>({ max: maxKeys });
  const runJoined = async (jobs: readonly Job<W>[]) => {
    // The newest has the most time left.
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
