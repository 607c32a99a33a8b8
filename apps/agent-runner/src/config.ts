import { hostname } from 'node:os';
import { role, ruleOfIssue } from '@eas/contracts';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Account } from './account/account.ts';
import { readDenyRule } from './presets/deny-rule.ts';
import { isGitToken, splitEnv, type SplitEnv } from './key/split-env.ts';
import { type Upstream, upstreamsIn, withoutModelKeys } from './presets/providers.ts';
import { presetIds } from './presets/presets.ts';

/** A sentence for the person who typed the command line. */
export type Refusal = { refusal: string };

type Options = readonly (readonly [flags: string, text: string])[];

const general: Options = [
  ['--role <role>', 'role of the agent: rd, qa, pm, …'],
  ['--acp <command>', 'another coding agent: a command that speaks the Agent Client Protocol on stdin and stdout'],
  ['--exec <command>', "script, run by sh -c in the task's folder with the task as JSON on stdin"],
  ['--agent <id>', 'agent to work as (default: the agent of the key, or the one called --name)'],
  ['--name <name>', 'name of the agent, created if it does not exist (default: ROLE-HOST)'],
  ['--concurrency <n>', 'number of tasks at the same time, 1-100 (default: 1)'],
  ['--workspace <dir>', 'folder that holds a folder for each task (default: .agent-work)'],
  ['--timeout <seconds>', 'maximum run time of the agent, without the time it waits for people (default: 7200)'],
  ['--check <seconds>', 'interval of checking for answers, messages and cancellations (default: 5)'],
  ['--grace <seconds>', 'time between SIGTERM and SIGKILL of the agent (default: 10)'],
  ['--drain <seconds>', 'time that running tasks have after SIGTERM before they are released (default: 30)'],
  ['--heartbeat <seconds>', 'interval of showing people that the runner is there, at most 60 (default: 30)'],
  ['--close-stdin', 'close the stdin of --exec after the task'],
  ['--tidy', 'remove the folder of a completed task'],
];
const ofCodingAgents: Options = [
  ['--mode <id>', 'mode of the agent to work in (default: the one in which it asks for permission)'],
  [
    '--answer-wait <seconds>',
    'time that the agent keeps running while it waits for an answer; it goes on with it later all the same (default: 120)',
  ],
];
const ofProjects: Options = [
  ['--no-push', 'leave the branches in the clones of the runner'],
  ['--rounds <n>', 'how often an agent is sent back to its work when checks fail, 0-20 (default: 2)'],
  ['--copy-from <dir>', 'files that projects want copied, such as .env: DIR/OWNER/NAME for each repository'],
  ['--setup-timeout <seconds>', 'maximum run time of the setup of a new worktree (default: 900)'],
  ['--git-timeout <seconds>', 'maximum time of a clone, a fetch or a push (default: 600)'],
  ['--max-file-mb <n>', 'size over which a file is not committed (default: 100)'],
  ['--keep-days <n>', 'worktrees and clones that are not used for so long are removed (default: 14)'],
  ['--max-space-gb <n>', 'size of the workspace over which the oldest of them are removed earlier (default: 20)'],
];

const listed = (word: string, before: string[] = []) => [...before, word];

/** The flags of a runner, in groups. Their values are read by `readConfig`. */
export function addStartOptions(command: Command): Command {
  const add = (options: Options) => options.forEach(([flags, text]) => command.option(flags, text));
  add(general);
  command.option(
    '--capability <word>',
    'capability of an agent that is created, in addition to the name of its preset; can be repeated',
    listed,
  );
  command.option(
    '--pass-env <name>',
    'variable with a token of a git host, such as GITHUB_TOKEN, that the agent gets too; can be repeated',
    listed,
  );
  command.optionsGroup('For coding agents:');
  add(ofCodingAgents);
  command.option(
    '--deny <tool[:pattern]>',
    "permission that is refused, by kind or name of the tool and what it is used for, such as fetch or 'execute:git push*'; can be repeated",
    listed,
  );
  command.optionsGroup('For tasks of projects, whose repositories the runner clones, commits, checks and pushes:');
  add(ofProjects);
  command.option('--project <id or name>', 'project whose tasks alone are claimed; can be repeated', listed);
  return command;
}

const seconds = (min: number, max: number, fallback: number) => z.coerce.number().min(min).max(max).default(fallback);
const denyRule = z.string().transform((text, context) => {
  const rule = readDenyRule(text);
  if (!rule)
    context.addIssue({ code: 'custom', message: 'must be the kind or name of a tool, and after a colon a pattern' });
  return rule ?? z.NEVER;
});
const flags = z.object({
  role,
  exec: z.string().min(1).max(32_768).optional(),
  acp: z.string().min(1).max(32_768).optional(),
  preset: z.enum(presetIds).optional(),
  mode: z.string().min(1).max(200).optional(),
  deny: z.array(denyRule).max(100).default([]),
  agent: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/)
    .optional(),
  name: z.string().min(1).max(200).optional(),
  project: z.array(z.string().min(1).max(200)).max(20).default([]),
  capability: z.array(z.string().min(1).max(64)).max(50).default([]),
  passEnv: z
    .array(z.string().refine(isGitToken, 'must be the name of a variable with a token of git'))
    .max(20)
    .default([]),
  concurrency: z.coerce.number().int().min(1).max(100).default(1),
  workspace: z.string().min(1).default('.agent-work'),
  timeout: seconds(0.1, 30 * 86_400, 7_200),
  check: seconds(0.1, 60, 5),
  grace: seconds(0.1, 3_600, 10),
  drain: seconds(0, 86_400, 30),
  heartbeat: seconds(0.1, 60, 30),
  answerWait: seconds(0.1, 86_400, 120),
  closeStdin: z.boolean().default(false),
  tidy: z.boolean().default(false),
  push: z.boolean().default(true),
  rounds: z.coerce.number().int().min(0).max(20).default(2),
  copyFrom: z.string().min(1).optional(),
  setupTimeout: seconds(0.1, 86_400, 900),
  gitTimeout: seconds(0.1, 86_400, 600),
  maxFileMb: z.coerce.number().min(0.001).max(1_000_000).default(100),
  keepDays: z.coerce.number().min(0).max(3_650).default(14),
  maxSpaceGb: z.coerce.number().min(0).max(1_000_000).default(20),
});

export type Config = Omit<z.infer<typeof flags>, 'name'> &
  Account &
  SplitEnv & {
    name: string;
    /** Providers of models whose keys the runner has. */
    upstreams: readonly Upstream[];
  };

const nameOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flags as they were given, and the service that is meant. */
export function readConfig(given: object, account: Account, env: Config['env']): Config | Refusal {
  const parsed = flags.safeParse(given, { error: ruleOfIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { refusal: `--${nameOf(issue?.path.join('.') ?? '')} ${issue?.message}.` };
  }
  const { name, ...rest } = parsed.data;
  const programs = (['preset', 'acp', 'exec'] as const).filter((one) => rest[one] !== undefined);
  if (programs.length !== 1)
    return { refusal: `Exactly one of a coding agent (${presetIds.join(', ')}), --acp and --exec is required.` };
  const { API_KEY: _, ...inherited } = env;
  // Tasks can require the coding agent that works on them.
  const capability = [...new Set([...rest.capability, ...(rest.preset ? [rest.preset] : [])])];
  const ownName = name ?? `${rest.role}-${hostname()}`.slice(0, 200);
  const upstreams = readUpstreams(inherited);
  if ('refusal' in upstreams) return upstreams;
  const split = splitEnv(withoutModelKeys(inherited), rest.passEnv);
  return { ...rest, ...account, capability, name: ownName, upstreams, ...split };
}

function readUpstreams(env: Config['env']): Upstream[] | Refusal {
  try {
    return upstreamsIn(env);
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}
