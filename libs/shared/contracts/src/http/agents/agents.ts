import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  hours,
  meanSeconds,
  idOf,
  requiredText,
  role,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { exampleLease, lease } from '../leases.ts';
import { taskStatus } from '../tasks.ts';

export const agentStatuses = ['active', 'idle', 'busy'] as const;
export const presences = ['online', 'stale', 'offline'] as const;

const nameText = 'A name for people.';
const capabilitiesText =
  'What the agent can do. A task with `metadata.required_capabilities` is planned only for agents that have all of them.';
const maximumText = 'Maximum number of tasks that the agent can hold at the same time.';
const capabilities = z.array(requiredText(64)).max(50);
const maximum = z.int().min(1).max(100);

const exampleFields = { name: 'Ada', role: 'rd', capabilities: ['typescript', 'postgres'], max_concurrent_tasks: 2 };

export const createAgentBody = z
  .strictObject({
    name: requiredText(200).describe(nameText),
    role,
    capabilities: capabilities.default([]).describe(capabilitiesText),
    max_concurrent_tasks: maximum.default(1).describe(maximumText),
  })
  .meta({ id: 'CreateAgent', description: 'A new agent.', example: exampleFields });
export type CreateAgentBody = z.output<typeof createAgentBody>;

/**
 * Body of PATCH /v1/agents/{agent_id}: a JSON merge patch. null sets a field to its default; name and role have none.
 */
export const changeAgentBody = z
  .strictObject({
    name: requiredText(200).optional().describe(nameText),
    role: role.optional(),
    capabilities: capabilities.nullable().optional().describe(capabilitiesText),
    max_concurrent_tasks: maximum.nullable().optional().describe(maximumText),
  })
  .meta({
    id: 'ChangeAgent',
    description: 'A JSON merge patch of an agent. Fields that you leave out stay as they are; null resets a field.',
    example: { name: 'Grace', max_concurrent_tasks: 3 },
  });
export type ChangeAgentBody = z.output<typeof changeAgentBody>;

const exampleAgent = {
  id: exampleId('agt'),
  ...exampleFields,
  status: 'active',
  active_tasks: 1,
  accepting: true,
  presence: 'online',
  created_at: exampleTime,
  last_active: '2026-11-20T10:30:00Z',
};

export const agentResource = z
  .object({
    id: idOf('ID of the agent.'),
    name: z.string().max(200).describe(nameText),
    role: z.string().max(64).describe('The role of the agent. It can claim the tasks of this role.'),
    status: z.enum(agentStatuses).describe('idle: holds no task; active: holds some; busy: holds as many as it can.'),
    capabilities: z.array(z.string().max(64)).max(50).describe(capabilitiesText),
    max_concurrent_tasks: maximum.describe(maximumText),
    active_tasks: z.int().min(0).max(2_147_483_647).describe('Number of tasks that it holds now.'),
    accepting: z.boolean().describe('Whether the agent can claim tasks. false: it was paused or drained.'),
    presence: z
      .enum(presences)
      .describe('online: last seen within one lease time; stale: within ten; offline: earlier, or never.'),
    created_at: timestampOutput.describe('When the agent was created.'),
    last_active: timestampOutput.describe(
      'When the agent was last seen: now while it waits in a claim or called within half a lease time. Initially when it was created.',
    ),
  })
  .meta({ id: 'Agent', description: 'An AI agent that holds a role and works on tasks.', example: exampleAgent });
export type AgentResource = z.infer<typeof agentResource>;

const currentTask = z
  .object({
    id: idOf('ID of the task.'),
    title: z.string().max(500).describe('Its title.'),
    status: taskStatus,
  })
  .meta({ id: 'CurrentTask', description: 'A task that the agent holds or that is planned for it.' });
const score = z.int().min(0).max(100);
const stats = z
  .object({
    tasks_completed: z.int().min(0).max(2_147_483_647).describe('Number of completed tasks.'),
    avg_completion_time: hours.describe(
      'Mean time from the first claim to completion, in hours. `0h` also if there is none: see `avg_completion_seconds`.',
    ),
    avg_completion_seconds: meanSeconds,
    code_quality_score: score.describe('Mean of the code quality scores. 0 if there are none: see `code_quality`.'),
    code_quality: score.nullable().describe('Mean of the code quality scores. null: there are none.'),
  })
  .meta({ id: 'AgentStats', description: 'How the agent performs.' });

const exampleAgentDetail = {
  ...exampleAgent,
  current_tasks: [{ id: exampleId('tsk'), title: 'Limit failed logins', status: 'in_progress' }],
  current_tasks_truncated: false,
  stats: {
    tasks_completed: 12,
    avg_completion_time: '2.5h',
    avg_completion_seconds: 9_000,
    code_quality_score: 91,
    code_quality: 91,
  },
};

export const agentDetail = agentResource
  .extend({
    current_tasks: z
      .array(currentTask)
      .max(100)
      .describe('The tasks of the agent in the order of claims, at most 100.'),
    current_tasks_truncated: z
      .boolean()
      .describe('Whether there are more. `GET /v1/tasks?assigned_agent=` lists all of them.'),
    stats,
  })
  .meta({
    id: 'AgentDetail',
    base: 'Agent',
    description: 'An agent with its tasks and statistics.',
    example: exampleAgentDetail,
  });
export type AgentDetail = z.infer<typeof agentDetail>;

const heldLease = z
  .object({
    task: currentTask,
    lease: lease
      .extend({
        expires_at: timestampOutput
          .nullable()
          .describe('When the lease ends unless you renew or resume it. null: it waits for a person’s answer.'),
      })
      .meta({ id: 'HeldLease', description: 'A lease that the agent holds.' }),
  })
  .meta({ id: 'HeldTask', description: 'A task that the agent holds, with its lease.' });

const exampleLeases = {
  leases: [
    { task: { id: exampleId('tsk'), title: 'Limit failed logins', status: 'in_progress' }, lease: exampleLease },
  ],
  leases_truncated: false,
};

/** For the agent itself. */
export const ownLeases = z
  .object({
    leases: z
      .array(heldLease)
      .max(100)
      .describe('The live leases of the agent with their tokens, at most 100. Those that wait for a person come last.'),
    leases_truncated: z.boolean().describe('Whether there are more.'),
  })
  .meta({ id: 'OwnLeases', description: 'The leases that an agent holds.', example: exampleLeases });
export type OwnLeases = z.infer<typeof ownLeases>;

export const ownAgent = agentDetail.extend(ownLeases.shape).meta({
  id: 'OwnAgent',
  base: 'AgentDetail',
  description: 'An agent as it sees itself: with the leases that it holds.',
  example: { ...exampleAgentDetail, ...exampleLeases },
});

const text = z.string().max(500);

export const agentListQuery = listQuery({
  sortable: [
    'created_at',
    'id',
    'name',
    'role',
    'status',
    'last_active',
    'max_concurrent_tasks',
    'accepting',
    'presence',
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
