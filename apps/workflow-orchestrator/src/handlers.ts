import { applyInboundEvents } from '@eas/integrations';
import { consumeEvents } from '@eas/queue';
import { planTasks } from '@eas/tasks';

/** What the process does with the jobs of the queue `workflow`. */
export const handlers = {
  'task.plan': consumeEvents('task.plan', planTasks),
  'inbound.apply': consumeEvents('inbound.apply', applyInboundEvents),
};
