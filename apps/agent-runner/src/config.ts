import { hostname } from 'node:os';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { role } from '@eas/contracts';
import { z } from 'zod';
import { readKey } from './key/read-key.ts';

/** A sentence for whoever typed the command line; `isHelp`: nothing was wrong. */
export type Refusal = { refusal: string };

export const usage = `agent-runner --role ROLE --exec COMMAND [options]

Makes a command-line agent a worker: claims tasks of the role and runs the command for each.
The API key comes from a file, a file descriptor or the environment (API_KEY), never from the command line.
Without any of them it is that of the system that runs here (.data/first-api-key).

  --role ROLE            role of the agent: rd, qa, pm, …
  --exec COMMAND         run by sh -c in the task's folder, the task as JSON on its stdin
  --agent ID             work as this agent; left out: the key's own agent, else one found or made by --name
  --name NAME            name of the agent (ROLE-HOST)
  --capability WORD      of an agent that is made; may be given again
  --url URL              the service (BASE_URL, else http://127.0.0.1:3000)
  --key-file FILE        file with the API key
  --key-fd N             open file descriptor with the API key; 0: stdin
  --concurrency N        tasks at a time, 1-100 (1)
  --workspace DIR        where each task gets a folder (.agent-work)
  --timeout SECONDS      longest run of the command, waiting for persons not counted (7200)
  --check SECONDS        how often answers, messages and cancels are looked for (5)
  --grace SECONDS        between SIGTERM and SIGKILL of the command (10)
  --drain SECONDS        how long work in hand may go on after SIGTERM before it is released (30)
  --close-stdin          end the command's stdin after the task
  --tidy                 remove the folder of a completed task
`;

const seconds = (min: number, max: number, fallback: number) => z.coerce.number().min(min).max(max).default(fallback);
const flags = z.object({
  role,
  exec: z.string().min(1).max(32_768),
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
  help: { ...yes, short: 'h' },
};

/** What the runner was started with. */
export const environment = (): NodeJS.ProcessEnv => process.env;

/** Reads command line and environment. */
export function loadConfig(args: readonly string[], env: NodeJS.ProcessEnv = environment()): Config | Refusal {
  let given: Record<string, unknown>;
  try {
    given = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    return { refusal: (error as Error).message };
  }
  if (given['help']) return { refusal: usage };
  const parsed = flags.safeParse({ url: env['BASE_URL'] ?? 'http://127.0.0.1:3000', ...given });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const flag = issue?.path.join('.');
    return { refusal: `--${flag}: ${given[String(flag)] === undefined ? 'is needed' : issue?.message}` };
  }
  const { 'key-file': file, 'key-fd': fd, name, ...rest } = parsed.data;
  const found = readKey({ file, fd, url: rest.url, env });
  if ('refusal' in found) return found;
  const { API_KEY: _, ...inherited } = env;
  const url = rest.url.replace(/\/+$/, '');
  return { ...rest, url, name: name ?? `${rest.role}-${hostname()}`.slice(0, 200), apiKey: found.key, env: inherited };
}
