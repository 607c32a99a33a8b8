export { cancelJob } from './cancel-job.ts';
export { countInTime } from './count-in-time.ts';
export { getJob } from './get-job.ts';
export type { DueJob, JobKind, JobRow, JobStep, SweptKind } from './job-kind.ts';
export { jobResource } from './job-resource.ts';
export { findJob, pageJobs } from './job.read-model.ts';
export { addJob, endJob, saveJobError } from './job.store.ts';
export { nextJobAt, removeOldJobs, sweepJob } from './job.sweeper.ts';
