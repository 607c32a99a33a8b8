// What each agent needs on a machine that has nothing of it: a home, and the address of the played model.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findIn } from '@eas/testing/programs';

export const packagesFolder = import.meta.dirname;
const modules = join(packagesFolder, 'node_modules');
const root = resolve(packagesFolder, '../..');

/** The packages of the agents, by the names of their presets. */
const packages = {
  claude: '@agentclientprotocol/claude-agent-acp',
  codex: '@agentclientprotocol/codex-acp',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
  qwen: '@qwen-code/qwen-code',
} as const;
export type AgentId = keyof typeof packages;

const adapters: Readonly<Partial<Record<AgentId, string>>> = { claude: 'claude-agent-acp', codex: 'codex-acp' };
/** The program that speaks the protocol. */
export const programOf = (id: AgentId): string => adapters[id] ?? id;

const { dependencies } = JSON.parse(readFileSync(join(packagesFolder, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** An agent whose program is there: the one that is wanted, or the first one. Those with an adapter come last. */
export function findAgent(wanted: string | undefined, path: string): AgentId | undefined {
  const ids = (Object.keys(packages) as AgentId[]).toReversed().filter((id) => wanted === undefined || id === wanted);
  if (ids.length === 0) throw new Error(`Known agents: ${Object.keys(packages).join(', ')}.`);
  return ids.find((id) => findIn(path, id) !== undefined);
}

export type TriedAgent = { id: AgentId; what: string };
export const triedAgents: readonly TriedAgent[] = Object.entries(packages).map(([id, name]) => ({
  id: id as AgentId,
  what: `${name}@${dependencies[name]}`,
}));

/** `bins`: folders that are searched first for programs. */
export type Site = { home: string; modelUrl: string; bins?: readonly string[] | undefined };
type Prepare = (site: Site) => Record<string, string>;

/** What the operator has, and no agent sees. */
export const operatorKey = 'sk-operator-0123456789abcdef';

const writeJson = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value));

const prepare: Record<AgentId, Prepare> = {
  claude: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: operatorKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  codex({ home, modelUrl }) {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex/config.toml'), 'model = "played"\n');
    return { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: operatorKey };
  },
  gemini({ home, modelUrl }) {
    mkdirSync(join(home, '.gemini'));
    writeJson(join(home, '.gemini/settings.json'), { security: { auth: { selectedType: 'gemini-api-key' } } });
    return { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: operatorKey };
  },
  opencode({ home, modelUrl }) {
    const models = { played: { name: 'played', limit: { context: 200_000, output: 8_000 } } };
    const options = { baseURL: '{env:OPENAI_BASE_URL}', apiKey: '{env:OPENAI_API_KEY}' };
    const provider = { played: { npm: '@ai-sdk/openai-compatible', name: 'played', options, models } };
    writeJson(join(home, 'opencode.json'), { provider, model: 'played/played', small_model: 'played/played' });
    return {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_API_KEY: operatorKey,
    };
  },
  qwen: ({ modelUrl }) => ({
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: operatorKey,
    OPENAI_MODEL: 'played',
  }),
};

/** The environment of a runner with the agent: of this process only what finds programs. */
export function agentEnvironment(id: AgentId, site: Site): Record<string, string> {
  mkdirSync(site.home, { recursive: true });
  const bin = join(site.home, 'bin');
  linkPrograms(bin);
  const { bins = [join(modules, '.bin')] } = site;
  const path = [bin, join(root, 'node_modules/.bin'), ...bins, process.env['PATH']].join(':');
  return { PATH: path, HOME: site.home, TMPDIR: site.home, LANG: 'C.UTF-8', ...prepare[id](site) };
}

/** Packages are installed without their scripts; that of opencode would link the program of the platform. */
function linkPrograms(bin: string): void {
  const program = join(modules, `opencode-${process.platform}-${process.arch}`, 'bin/opencode');
  mkdirSync(bin, { recursive: true });
  if (existsSync(program) && !existsSync(join(bin, 'opencode'))) symlinkSync(program, join(bin, 'opencode'));
}
