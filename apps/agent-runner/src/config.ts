import { hostname } from 'node:os';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { role, ruleOfIssue } from '@eas/contracts';
import { z } from 'zod';
import { readKey } from './key/read-key.ts';
import { readDenyRule } from './presets/deny-rule.ts';
import { presetIds } from './presets/presets.ts';

/** A sentence for whoever typed the command line; `isHelp`: nothing was wrong. */
export type Refusal = { refusal: string };

const usage = `agent-runner --role ROLE (--preset NAME | --acp COMMAND | --exec COMMAND) [options]

Runs an agent as a worker: claims tasks of a role and lets the agent work on each of them.
The API key is read from a file, a file descriptor or the environment (API_KEY), never from the command line.
By default the key of the local system is used (.data/first-api-key).

  --role ROLE            role of the agent: rd, qa, pm, …
  --preset NAME          coding agent: ${presetIds.join(', ')}
  --acp COMMAND          another coding agent: a command that speaks the Agent Client Protocol on stdin and stdout
  --exec COMMAND         script, run by sh -c in the task's folder with the task as JSON on stdin
  --agent ID             agent to work as; default: the agent of the key, or the one called --name
  --name NAME            name of the agent, created if it does not exist (default: ROLE-HOST)
  --capability WORD      capability of an agent that is created; can be repeated
  --url URL              URL of the service (default: BASE_URL, or http://127.0.0.1:3000)
  --key-file FILE        file that contains the API key
  --key-fd N             open file descriptor to read the API key from; 0 is stdin
  --concurrency N        number of tasks at the same time, 1-100 (default: 1)
  --workspace DIR        folder that holds a folder for each task (default: .agent-work)
  --timeout SECONDS      maximum run time of the command, without the time it waits for people (default: 7200)
  --check SECONDS        interval of checking for answers, messages and cancellations (default: 5)
  --grace SECONDS        time between SIGTERM and SIGKILL of the command (default: 10)
  --drain SECONDS        time that running tasks have after SIGTERM before they are released (default: 30)
  --close-stdin          close the stdin of --exec after the task
  --tidy                 remove the folder of a completed task

For coding agents:
  --mode ID              mode of the agent to work in (default: the one in which it asks for permission)
  --deny TOOL[:PATTERN]  permission that is refused, by kind or name of the tool and what it is used for,
                         such as fetch or 'execute:git push*'; can be repeated (default: none)

For tasks of projects, whose repositories the runner clones, commits, checks and pushes:
  --no-push              leave the branches in the clones of the runner
  --rounds N             how often an agent is sent back to its work when checks fail, 0-20 (default: 2)
  --copy-from DIR        files that projects want copied, such as .env: DIR/OWNER/NAME for each repository
  --setup-timeout SECONDS  maximum run time of the setup of a new worktree (default: 900)
  --git-timeout SECONDS  maximum time of a clone, a fetch or a push (default: 600)
  --max-file-mb N        size over which a file is not committed (default: 100)
  --keep-days N          worktrees and clones that are not used for so long are removed (default: 14)
  --max-space-gb N       size of the workspace over which the oldest of them are removed earlier (default: 20)
`;

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
  capability: z.array(z.string().min(1).max(64)).max(50).default([]),
  url: z.url({ protocol: /^https?$/ }),
  'key-file': z.string().optional(),
  'key-fd': z.coerce.number().int().min(0).max(255).optional(),
  concurrency: z.coerce.number().int().min(1).max(100).default(1),
  workspace: z.string().min(1).default('.agent-work'),
  timeout: seconds(0.1, 30 * 86_400, 7_200),
  check: seconds(0.1, 60, 5),
  grace: seconds(0.1, 3_600, 10),
  drain: seconds(0, 86_400, 30),
  'close-stdin': z.boolean().default(false),
  tidy: z.boolean().default(false),
  'no-push': z.boolean().default(false),
  rounds: z.coerce.number().int().min(0).max(20).default(2),
  'copy-from': z.string().min(1).optional(),
  'setup-timeout': seconds(0.1, 86_400, 900),
  'git-timeout': seconds(0.1, 86_400, 600),
  'max-file-mb': z.coerce.number().min(0.001).max(1_000_000).default(100),
  'keep-days': z.coerce.number().min(0).max(3_650).default(14),
  'max-space-gb': z.coerce.number().min(0).max(1_000_000).default(20),
});

export type Config = Omit<z.infer<typeof flags>, 'key-file' | 'key-fd' | 'name'> & {
  name: string;
  apiKey: string;
  /** What the command inherits: all but the key, which is the runner's alone. */
  env: Record<string, string | undefined>;
};

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const options: ParseArgsOptionsConfig = {
  role: text,
  exec: text,
  acp: text,
  preset: text,
  mode: text,
  deny: { ...text, multiple: true },
  agent: text,
  name: text,
  url: text,
  'key-file': text,
  'key-fd': text,
  concurrency: text,
  workspace: text,
  timeout: text,
  check: text,
  grace: text,
  drain: text,
  capability: { ...text, multiple: true },
  'close-stdin': yes,
  tidy: yes,
  'no-push': yes,
  rounds: text,
  'copy-from': text,
  'setup-timeout': text,
  'git-timeout': text,
  'max-file-mb': text,
  'keep-days': text,
  'max-space-gb': text,
  help: { ...yes, short: 'h' },
};

export const environment = (): NodeJS.ProcessEnv => process.env;

export function loadConfig(args: readonly string[], env: NodeJS.ProcessEnv = environment()): Config | Refusal {
  let given: Record<string, unknown>;
  try {
    given = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    return { refusal: (error as Error).message };
  }
  if (given['help']) return { refusal: usage };
  const parsed = flags.safeParse({ url: env['BASE_URL'] ?? 'http://127.0.0.1:3000', ...given }, { error: ruleOfIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { refusal: `--${issue?.path.join('.')} ${issue?.message}.` };
  }
  const [program, ...others] = (['preset', 'acp', 'exec'] as const).filter((name) => parsed.data[name] !== undefined);
  if (program === undefined || others.length > 0)
    return { refusal: 'Exactly one of --preset, --acp and --exec is required.' };
  const { 'key-file': file, 'key-fd': fd, name, ...rest } = parsed.data;
  const found = readKey({ file, fd, url: rest.url, env });
  if ('refusal' in found) return found;
  const { API_KEY: _, ...inherited } = env;
  const url = rest.url.replace(/\/+$/, '');
  return { ...rest, url, name: name ?? `${rest.role}-${hostname()}`.slice(0, 200), apiKey: found.key, env: inherited };
}
