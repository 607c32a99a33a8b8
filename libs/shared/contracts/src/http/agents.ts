import { z } from 'zod';
import { hours, idOutput, requiredText, role, timestampInput, timestampOutput, wholeNumberInput } from './fields.ts';
import { listQuery, listResponse } from './list.ts';

export const agentStatuses = ['active', 'idle', 'busy'] as const;
export const presences = ['online', 'stale', 'offline'] as const;

export const createAgentBody = z.strictObject({
  name: requiredText(200).meta({ example: 'Ada' }),
  role,
  capabilities: z.array(requiredText(64)).max(50).default([]),
  max_concurrent_tasks: z.int().min(1).max(100).default(1),
});
export type CreateAgentBody = z.output<typeof createAgentBody>;

/** What PATCH /v1/agents/{agent_id} takes: a JSON merge patch. null gives a field its default; name and role have none. */
export const changeAgentBody = z.strictObject({
  name: requiredText(200).optional(),
  role: role.optional(),
  capabilities: z.array(requiredText(64)).max(50).nullable().optional(),
  max_concurrent_tasks: z.int().min(1).max(100).nullable().optional(),
});
export type ChangeAgentBody = z.output<typeof changeAgentBody>;

export const agentResource = z.object({
  id: idOutput.meta({ example: 'agt_01ks0000000000000000000000' }),
  name: z.string().max(200),
  role: z.string().max(64),
  status: z.enum(agentStatuses).meta({ description: 'idle holds nothing, busy can take no more, active is between.' }),
  capabilities: z.array(z.string().max(64)).max(50),
  max_concurrent_tasks: z.int().min(1).max(100),
  accepting: z.boolean().meta({ description: 'false: paused or drained, it claims nothing.' }),
  presence: z
    .enum(presences)
    .meta({ description: 'online: seen within a lease time; stale: within ten; offline: longer ago, or never.' }),
  created_at: timestampOutput,
  last_active: timestampOutput.meta({ description: 'When the agent was seen last; until then, when it was made.' }),
});
export type AgentResource = z.infer<typeof agentResource>;

/** An agent as GET /v1/agents/{agent_id} returns it. */
export const agentDetail = agentResource.extend({
  current_tasks: z
    .array(z.object({ id: idOutput, title: z.string().max(500) }))
    .max(100)
    .meta({ description: 'In the order of claims; the first 100.' }),
  current_tasks_truncated: z
    .boolean()
    .meta({ description: 'There are more: GET /v1/tasks?assigned_agent= lists them.' }),
  stats: z.object({
    tasks_completed: z.int().min(0).max(2_147_483_647),
    avg_completion_time: hours,
    code_quality_score: z.int().min(0).max(100),
  }),
});
export type AgentDetail = z.infer<typeof agentDetail>;

const text = z.string().max(500);

export const agentListQuery = listQuery({
  sortable: [
    ...(['created_at', 'id', 'name', 'role', 'status', 'last_active'] as const),
    ...(['max_concurrent_tasks', 'accepting', 'presence'] as const),
  ],
  filters: {
    id: text,
    name: text,
    role: text,
    status: z.enum(agentStatuses),
    max_concurrent_tasks: wholeNumberInput(1, 100),
    accepting: z.enum(['true', 'false']),
    presence: z.enum(presences),
    created_at: timestampInput,
    last_active: timestampInput,
  },
});
export type AgentListQuery = z.output<typeof agentListQuery>;

export const agentList = listResponse(agentResource);
