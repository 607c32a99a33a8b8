import { z } from 'zod';
import { exampleId, exampleTime, idOf, requiredText, role, timestampOutput } from '../../fields.ts';

/** Maximum number of runners on one machine: each needs about 100 MB in addition to its coding agent. */
export const maxLocalRunners = 8;

const line = (description: string) => z.string().max(500).describe(description);
/** The coding agents that the runner knows by name, with their names for people. */
export const codingAgents = {
  claude: 'Claude Code',
  codex: 'Codex CLI',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  qwen: 'Qwen Code',
} as const;
export type CodingAgent = keyof typeof codingAgents;

export const codingAgent = z.enum(Object.keys(codingAgents) as [CodingAgent, ...CodingAgent[]]).meta({
  id: 'CodingAgent',
  description: 'A coding agent by its name in `eas agent start <preset>`. New values can be added.',
  'x-enumDescriptions': codingAgents,
});
const concurrency = z.int().min(1).max(100).describe('Maximum number of tasks at the same time.');

export const foundAgent = z
  .object({
    preset: codingAgent,
    title: z.string().max(100).describe('The name of the coding agent for people.'),
    found: z.boolean().describe('Whether its program is installed.'),
    path: z.string().max(4_096).nullable().describe('Where the program is. null: not found.'),
    version: z.string().max(100).nullable().describe('The version that it says. null: not known, or not known yet.'),
    problem: line('What is missing, in one line. null: nothing, or not known yet.').nullable(),
  })
  .meta({
    id: 'FoundAgent',
    description: 'A coding agent that runners can drive, and whether it is installed on the machine of the service.',
    example: {
      preset: 'claude',
      title: 'Claude Code',
      found: true,
      path: '/usr/local/bin/claude',
      version: '0.101.0',
      problem: null,
    },
  });
export type FoundAgent = z.infer<typeof foundAgent>;

const localRunnerStates = ['starting', 'running', 'failed', 'stopping', 'stopped'] as const;

const exampleRunner = {
  agent_id: exampleId('agt'),
  name: 'Claude Code',
  preset: 'claude' as const,
  role: 'rd',
  concurrency: 1,
  state: 'running' as const,
  since: exampleTime,
  problem: null,
  log: ['working as agt_01ks0000000000000000000000 (Claude Code, rd) for http://127.0.0.1:3000'],
};

export const localRunner = z
  .object({
    agent_id: idOf('ID of the agent that the runner works as.'),
    name: z.string().max(200).describe('The name that the agent was created with.'),
    preset: codingAgent,
    role,
    concurrency,
    state: z
      .enum(localRunnerStates)
      .describe(
        'starting: it is being started, or started again. running: it claims tasks. failed: something is missing, and it is tried again only every few minutes. stopping, stopped: it is being removed.',
      ),
    since: timestampOutput.describe('When it came into this state.'),
    problem: line(
      'Why it ended the last time, in one line, until it runs again. null: it runs, or has not ended yet.',
    ).nullable(),
    log: z.array(line('A line.')).max(20).describe('The last lines of its log, oldest first.'),
  })
  .meta({
    id: 'LocalRunner',
    description: 'A runner that the service keeps running on its own machine.',
    example: exampleRunner,
  });
export type LocalRunner = z.infer<typeof localRunner>;

export const localRunners = z
  .object({
    available: z
      .boolean()
      .describe('Whether runners can be started on the machine of the service. Only `npm start` can do so.'),
    checking: z.boolean().describe('Whether coding agents are still being examined: versions and problems follow.'),
    agents: z.array(foundAgent).max(100).describe('The coding agents that can be started. Empty if not available.'),
    runners: z.array(localRunner).max(100).describe('The runners on this machine, oldest first.'),
  })
  .meta({
    id: 'LocalRunners',
    description: 'What the service can run, and runs, on its own machine.',
    example: {
      available: true,
      checking: false,
      agents: [
        {
          preset: 'claude',
          title: 'Claude Code',
          found: false,
          path: null,
          version: null,
          problem: 'claude is not on PATH.',
        },
      ],
      runners: [exampleRunner],
    },
  });

export const startLocalRunnerBody = z
  .strictObject({
    preset: codingAgent,
    role,
    name: requiredText(200)
      .optional()
      .describe('Name of the agent. Default: the name of the coding agent, with a number if a runner has it.'),
    concurrency: concurrency.default(1),
  })
  .meta({
    id: 'StartLocalRunner',
    description: 'A coding agent to start on the machine of the service.',
    example: { preset: 'claude', role: 'rd' },
  });
export type StartLocalRunnerBody = z.output<typeof startLocalRunnerBody>;
