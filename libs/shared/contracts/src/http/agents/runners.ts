import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  idOf,
  requiredText,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

export const runnerPresences = ['online', 'offline'] as const;

const maxPid = 2_147_483_647;
const texts = {
  instance: 'Which process it is, in words of its own that no other process of the agent has.',
  host: 'Name of the machine that it runs on.',
  os: 'Operating system of the machine.',
  version: 'Version of the program that is the runner.',
  preset: 'The coding agent that it drives, by the name of its preset. null: another program.',
  presetTitle: 'The name of the coding agent for people.',
  agentVersion: 'Version of the coding agent, as the runner found it.',
  concurrency: 'How many tasks it works on at the same time.',
  pid: 'Process ID on its machine.',
};
const concurrency = z.int().min(1).max(100);
const pid = z.int().min(1).max(maxPid);

const exampleFields = {
  agent_id: exampleId('agt'),
  instance: '3f2a6f0e-4d0c-4a53-9d1f-7b1c9a2e5d11',
  host: 'build-1',
  os: 'linux',
  version: '0.1.0',
  preset: 'claude',
  preset_title: 'Claude Code',
  agent_version: '0.101.0',
  concurrency: 2,
  pid: 4_711,
};

export const registerRunnerBody = z
  .strictObject({
    agent_id: idOf('The agent that it claims tasks for.'),
    instance: requiredText(100).describe(texts.instance),
    host: requiredText(255).describe(texts.host),
    os: requiredText(100).nullable().default(null).describe(texts.os),
    version: requiredText(64).describe(texts.version),
    preset: requiredText(64).nullable().default(null).describe(texts.preset),
    preset_title: requiredText(200).nullable().default(null).describe(texts.presetTitle),
    agent_version: requiredText(200).nullable().default(null).describe(texts.agentVersion),
    concurrency: concurrency.describe(texts.concurrency),
    pid: pid.nullable().default(null).describe(texts.pid),
  })
  .meta({ id: 'RegisterRunner', description: 'A runner that has started.', example: exampleFields });
export type RegisterRunnerBody = z.output<typeof registerRunnerBody>;

const running = z.int().min(0).max(10_000);

export const runnerHeartbeatBody = z
  .strictObject({ running: running.describe('Number of tasks that it works on now.') })
  .meta({ id: 'RunnerHeartbeat', description: 'A runner says that it is there.', example: { running: 1 } });

export const runnerOrders = z
  .object({
    drain: z.boolean().describe('Whether the runner is to end: claim nothing more, finish what it works on, and end.'),
  })
  .meta({ id: 'RunnerOrders', description: 'What the runner is to do.', example: { drain: false } });

export const runnerResource = z
  .object({
    id: idOf('ID of the runner.'),
    agent_id: idOf('The agent that it claims tasks for.'),
    instance: z.string().max(100).describe(texts.instance),
    host: z.string().max(255).describe(texts.host),
    os: z.string().max(100).nullable().describe(texts.os),
    version: z.string().max(64).describe(texts.version),
    preset: z.string().max(64).nullable().describe(texts.preset),
    preset_title: z.string().max(200).nullable().describe(texts.presetTitle),
    agent_version: z.string().max(200).nullable().describe(texts.agentVersion),
    concurrency: concurrency.describe(texts.concurrency),
    pid: pid.nullable().describe(texts.pid),
    running: running.describe('Number of tasks that it works on, as it last said.'),
    presence: z.enum(runnerPresences).describe('online: last seen within 90 seconds; offline: earlier.'),
    draining: z.boolean().describe('Whether it is to end once it has finished what it works on.'),
    created_at: timestampOutput.describe('When the runner registered.'),
    last_seen_at: timestampOutput.describe('When the runner last registered or sent a heartbeat.'),
  })
  .meta({
    id: 'Runner',
    description: 'A process on some machine that claims tasks for an agent and has a program work on them.',
    example: {
      id: exampleId('rnr'),
      ...exampleFields,
      running: 1,
      presence: 'online',
      draining: false,
      created_at: exampleTime,
      last_seen_at: exampleTime,
    },
  });
export type RunnerResource = z.infer<typeof runnerResource>;

const text = z.string().max(500);
const filters = {
  id: text,
  agent_id: text,
  instance: text,
  host: text,
  os: text,
  version: text,
  preset: text,
  preset_title: text,
  agent_version: text,
  concurrency: wholeNumberInput(1, 100),
  pid: wholeNumberInput(1, maxPid),
  running: wholeNumberInput(0, 10_000),
  presence: z.enum(runnerPresences),
  draining: z.enum(['true', 'false']),
  created_at: timestampInput,
  last_seen_at: timestampInput,
};

export const runnerListQuery = listQuery({ sortable: Object.keys(filters) as [keyof typeof filters], filters });
export type RunnerListQuery = z.output<typeof runnerListQuery>;

export const runnerList = listResponse(runnerResource);
