import { AppError } from '@eas/core';
import type { DbScope } from '@eas/db';
import type { JobKind, JobRow } from './job-kind.ts';
import { findJob } from './job.read-model.ts';

/** One job. Throws not_found. */
export async function getJob<Row extends JobRow>(scope: DbScope, kind: JobKind<Row>, id: string): Promise<Row> {
  const job = await findJob(scope, kind, id);
  if (!job) throw new AppError('not_found', { message: `The ${kind.name} does not exist.` });
  return job;
}
