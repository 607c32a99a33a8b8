export { followRun } from './reading/follow-run.ts';
export { getRun } from './reading/get-run.ts';
export { listRuns } from './reading/list-runs.ts';
export { listRunTimeline } from './reading/list-run-timeline.ts';
export { archiveWorkflow, unarchiveWorkflow } from './definitions/archive-workflow.ts';
export { changeWorkflow } from './definitions/change-workflow.ts';
export { createWorkflow, readNewWorkflow } from './definitions/create-workflow.ts';
export { validateWorkflow } from './definitions/validate-workflow.ts';
export { getWorkflow } from './definitions/get-workflow.ts';
export { listWorkflows } from './definitions/list-workflows.ts';
export {
  ensureShippedWorkflows,
  readShippedWorkflows,
  type ShippedDefinition,
} from './definitions/shipped-workflows.ts';
export { advanceAtOnce, advanceOnEvents } from './runs/advance-on-events.ts';
export { advanceRuns } from './runs/advance-runs.ts';
export { cancelRun } from './runs/cancel-run.ts';
export { decideStep } from './runs/decide-step.ts';
export { pauseRun } from './runs/pause-run.ts';
export { readRunSizes } from './runs/run-size.read-model.ts';
export { resumeRun } from './runs/resume-run.ts';
export { retryRun } from './runs/retry-run.ts';
export { startRun } from './runs/start-run.ts';
export { nextStepAt, sweepDueSteps } from './runs/run-step.sweeper.ts';
export { sweepStepDurations } from './records/step-duration.sweeper.ts';
