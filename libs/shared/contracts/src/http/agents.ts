import { z } from 'zod';
import { hours, idOutput, requiredText, role, timestampOutput } from './fields.ts';

export const agentStatuses = ['active', 'idle', 'busy'] as const;

export const createAgentBody = z.strictObject({
  name: requiredText(200).meta({ example: 'Ada' }),
  role,
  capabilities: z.array(requiredText(64)).max(50).default([]),
  max_concurrent_tasks: z.int().min(1).max(100).default(1),
});
export type CreateAgentBody = z.output<typeof createAgentBody>;

export const agentResource = z.object({
  id: idOutput.meta({ example: 'agt_01ks0000000000000000000000' }),
  name: z.string().max(200),
  role: z.string().max(64),
  status: z.enum(agentStatuses),
  capabilities: z.array(z.string().max(64)).max(50),
  created_at: timestampOutput,
  last_active: timestampOutput,
});
export type AgentResource = z.infer<typeof agentResource>;

/** An agent as GET /v1/agents/{agent_id} returns it. */
export const agentDetail = agentResource.extend({
  current_tasks: z
    .array(z.object({ id: idOutput, title: z.string().max(500) }))
    .max(1_000)
    .meta({ description: 'In the order of claims; the first 1,000.' }),
  stats: z.object({
    tasks_completed: z.int().min(0),
    avg_completion_time: hours,
    code_quality_score: z.int().min(0).max(100),
  }),
});
export type AgentDetail = z.infer<typeof agentDetail>;
