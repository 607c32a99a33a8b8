import { tracer } from '@eas/core';
import type { Claim } from './claim.ts';

/** Shows a claim in the trace that created its task, linked to the request of the agent. */
export function traceClaim({ body, traceparent, waitedMs = 0 }: Claim, agentId: string): void {
  const tracing = tracer();
  if (!tracing || !traceparent) return;
  const request = tracing.current()?.traceparent;
  const attributes = { 'eas.task_id': body.task.id, 'eas.agent_id': agentId, 'eas.waited_ms': waitedMs };
  tracing.start('claim task', { parent: traceparent, links: request ? [request] : [], attributes }).end();
}
