import { type CodingAgent, codingAgents } from '@eas/contracts';
import { type AccessVariable, codexAccess, opencodeAccess } from './model-access.ts';
import pins from './pins.json' with { type: 'json' };

/** A coding agent that is known by name: how it is started, and what it can do. Tried by tools/real-agents. */
export type Preset = {
  id: CodingAgent;
  title: string;
  /** The package with the program, in the version that was tried; `npm run update:presets` takes newer ones from the registry. */
  npm: { name: string; version: string; integrity: string };
  program: string;
  args: readonly string[];
  /** The vendor's own program, where `program` is an adapter for it, and the variable that says where it is. */
  cli?: { program: string; variable: string };
  /** Added to its environment, where the user has not set it. */
  env: Readonly<Record<string, string>>;
  /** Settings that point it at the runner for its models, in addition to the variables that most agents read. */
  access?: Readonly<Record<string, AccessVariable>>;
  /** How a user gives it access to its model. */
  login: string;
  /** The mode in which it asks before it uses a tool that changes something. */
  mode?: string;
  can: {
    /** What it asks the runner for permission for. */
    askPermission: string;
    /** Whether it asks people with a form; every agent may end its turn with a question. */
    askPeople: boolean;
    /** Whether it goes on with a session in another process. */
    resume: boolean;
    /** Whether it takes messages in the middle of a turn. */
    steer: boolean;
    report: 'tokens, cost' | 'tokens' | 'nothing';
  };
};

export const presets: readonly Preset[] = [
  {
    id: 'claude',
    title: codingAgents.claude,
    npm: pins.claude,
    program: 'claude-agent-acp',
    args: [],
    cli: { program: 'claude', variable: 'CLAUDE_CODE_EXECUTABLE' },
    env: {},
    login: 'Run `claude` once and log in, or set ANTHROPIC_API_KEY.',
    mode: 'default',
    can: {
      askPermission: 'edits, commands',
      askPeople: true,
      resume: true,
      steer: true,
      report: 'tokens, cost',
    },
  },
  {
    id: 'codex',
    title: codingAgents.codex,
    npm: pins.codex,
    program: 'codex-acp',
    args: [],
    cli: { program: 'codex', variable: 'CODEX_PATH' },
    env: {},
    access: codexAccess,
    login: 'Run `codex login`, or set OPENAI_API_KEY.',
    mode: 'agent',
    can: {
      askPermission: 'what its own sandbox does not allow',
      askPeople: false,
      resume: true,
      steer: true,
      report: 'tokens',
    },
  },
  {
    id: 'gemini',
    title: codingAgents.gemini,
    npm: pins.gemini,
    program: 'gemini',
    args: ['--acp', '--skip-trust'],
    env: {},
    login: 'Run `gemini` once and choose how to log in, or set GEMINI_API_KEY.',
    mode: 'default',
    can: { askPermission: 'edits, commands', askPeople: false, resume: false, steer: false, report: 'nothing' },
  },
  {
    id: 'opencode',
    title: codingAgents.opencode,
    npm: pins.opencode,
    program: 'opencode',
    args: ['acp'],
    env: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    access: opencodeAccess,
    login: 'Run `opencode auth login`.',
    can: {
      askPermission: 'edits, commands, pages of the web',
      askPeople: false,
      resume: true,
      steer: false,
      report: 'tokens, cost',
    },
  },
  {
    id: 'qwen',
    title: codingAgents.qwen,
    npm: pins.qwen,
    program: 'qwen',
    args: ['--acp'],
    env: {},
    login: 'Set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL, or run `qwen` once and log in.',
    mode: 'default',
    can: { askPermission: 'edits, commands', askPeople: true, resume: true, steer: false, report: 'nothing' },
  },
];

export const presetIds: readonly string[] = presets.map(({ id }) => id);

/** The table of the documentation. */
export function presetsTable(): string {
  const rows = presets.map(({ id, title, npm, can }) => [
    `\`${id}\``,
    title,
    `\`${npm.name}@${npm.version}\``,
    can.askPermission,
    can.askPeople ? 'form' : 'last message',
    can.resume ? 'yes' : 'while it runs',
    can.steer ? 'at once' : 'after its turn',
    can.report,
  ]);
  const head = [
    'preset',
    'agent',
    'tested with',
    'asks permission for',
    'asks people by',
    'resumes sessions',
    'gets messages',
    'reports',
  ];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replaceAll('| --- ', '|---')
    .replaceAll('--- |', '---|');
}
