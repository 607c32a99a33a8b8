import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getJob } from './get-job.ts';
import type { JobKind, JobRow } from './job-kind.ts';
import { endJob } from './job.store.ts';

/** Ends a running job. Throws not_found, and conflict `state` for one that has ended. */
export async function cancelJob<Row extends JobRow>(ctx: UseCaseContext, kind: JobKind<Row>, id: string): Promise<Row> {
  const isEnded = await ctx.inTransaction((tx) => endJob(tx, kind, id, { status: 'cancelled' }));
  const job = await getJob(ctx, kind, id);
  if (isEnded) return job;
  const message = `The ${kind.name} is ${job.status} already.`;
  throw new AppError('conflict', { field: 'status', constraint: 'state', message });
}
