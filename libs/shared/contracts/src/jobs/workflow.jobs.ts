import { defineQueue, eventConsumerJob } from './job.ts';

/** Worked by workflow-orchestrator. */
export const workflowQueue = defineQueue('workflow', {
  /** Chooses an agent for tasks without a planned one, whenever tasks or agents come or go. */
  'plan.follow': {
    ...eventConsumerJob,
    gatheredMs: 100,
    follows: { leavesTo: 'task.plan' },
    wants: ({ type, data }) => {
      if (type === 'task.created') return data['assigned_agent'] === null && data['assigned_role'] !== null;
      return type !== 'task.updated' || data['to'] === 'created' || data['to'] === 'open';
    },
  },
  /** The same for single events: tasks that were locked, what failed with others, and many tasks for an agent that arrived. */
  'task.plan': eventConsumerJob,
  'run.advance': { ...eventConsumerJob, wants: ({ facts }) => typeof facts['run_id'] === 'string' },
  'inbound.apply': eventConsumerJob,
  /** Reports the work and questions of agents to the platform that a task came from. */
  'tell.follow': {
    ...eventConsumerJob,
    gatheredMs: 100,
    follows: { leavesTo: 'platform.tell', isForSubscribed: true },
    wants: ({ data, facts }) => typeof (facts['ticket_id'] ?? data['ticket_id']) === 'string',
  },
  /** The same for single events that failed with others. */
  'platform.tell': eventConsumerJob,
  /** Applies comments of people on the platform as answers. */
  'platform.hear': eventConsumerJob,
  /** Opens pull requests for results of agents: only branches of tasks with a project are pushed. */
  'pull_request.open': {
    ...eventConsumerJob,
    wants: ({ type, data, facts }) =>
      typeof facts['project_id'] === 'string' && (type !== 'task.updated' || data['to'] === 'in_review'),
  },
});
