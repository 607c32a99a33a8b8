import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by workflow-orchestrator. */
export const workflowQueue = defineQueue('workflow', {
  /** Chooses an agent for tasks that nobody is planned for, whenever tasks or agents come or go. */
  'task.plan': eventConsumerJob,
  /** Moves runs on whose tasks have changed. */
  'run.advance': eventConsumerJob,
  /** Applies verified receipts from outside. */
  'inbound.apply': eventConsumerJob,
});
