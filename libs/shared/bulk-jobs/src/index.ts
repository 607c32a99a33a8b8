export { cancelJob } from './cancel-job.ts';
export { countInTime } from './count-in-time.ts';
export { getJob } from './get-job.ts';
export type { DueJob, JobRow, JobStep, SweptKind } from './job-kind.ts';
export { jobResource } from './job-resource.ts';
export { pageJobs } from './job.read-model.ts';
export { addJob } from './job.store.ts';
export { sweepJob } from './job.sweeper.ts';
