import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by workflow-orchestrator. */
export const workflowQueue = defineQueue('workflow', {
  /** Chooses an agent for tasks that nobody is planned for, whenever tasks or agents come or go. */
  'task.plan': {
    ...eventConsumerJob,
    wants: ({ type, data }) => {
      if (type === 'task.created') return data['assigned_agent'] === null && data['assigned_role'] !== null;
      return type !== 'task.updated' || data['to'] === 'created' || data['to'] === 'open';
    },
  },
  'run.advance': { ...eventConsumerJob, wants: ({ facts }) => typeof facts['run_id'] === 'string' },
  'inbound.apply': eventConsumerJob,
});
