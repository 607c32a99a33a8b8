export type ProviderId = 'anthropic' | 'openai' | 'gemini';

/** How the agent of one task reaches its models: through the runner, which has the keys. */
export type ModelAccess = {
  /** By provider: the address to use instead of its own. */
  addresses: Readonly<Partial<Record<ProviderId, string>>>;
  /** Used instead of the keys while the task is worked on. */
  token: string;
};

/** A variable of an agent, made of its access; undefined: it is left as it is. */
export type AccessVariable = (access: ModelAccess) => string | undefined;

const token = ({ token: own }: ModelAccess) => own;
const keyOf =
  (id: ProviderId): AccessVariable =>
  (access) =>
    access.addresses[id] && token(access);
const addressOf =
  (id: ProviderId): AccessVariable =>
  ({ addresses }) =>
    addresses[id];

/** What most agents and the libraries of the providers read. */
const common: Readonly<Record<string, AccessVariable>> = {
  ANTHROPIC_BASE_URL: addressOf('anthropic'),
  ANTHROPIC_API_KEY: keyOf('anthropic'),
  OPENAI_BASE_URL: addressOf('openai'),
  OPENAI_API_KEY: keyOf('openai'),
  GOOGLE_GEMINI_BASE_URL: addressOf('gemini'),
  GEMINI_API_KEY: keyOf('gemini'),
};

/** The variables that point an agent at the runner; `own`: those that only this agent reads. */
export function accessEnv(
  access: ModelAccess | undefined,
  own: Readonly<Record<string, AccessVariable>> = {},
): Record<string, string> {
  if (!access) return {};
  const made = Object.entries({ ...common, ...own }).map(([name, make]) => [name, make(access)] as const);
  return Object.fromEntries(made.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Codex takes its provider from its configuration, and its key from the variable that this names. */
export const codexAccess: Readonly<Record<string, AccessVariable>> = {
  MODEL_PROVIDER: ({ addresses }) => addresses.openai && 'runner',
  CODEX_CONFIG: ({ addresses: { openai } }) =>
    openai &&
    JSON.stringify({
      model_providers: {
        runner: { name: 'runner', base_url: openai, wire_api: 'responses', env_key: 'OPENAI_API_KEY' },
      },
    }),
};

/** opencode has an address of its own for each provider, which no variable changes. */
export const opencodeAccess: Readonly<Record<string, AccessVariable>> = {
  OPENCODE_CONFIG_CONTENT({ addresses: { anthropic, openai, gemini }, token: apiKey }) {
    const at = (baseURL: string | undefined) => baseURL && { options: { baseURL, apiKey } };
    const google = at(gemini && `${gemini}/v1beta`);
    return JSON.stringify({
      provider: { anthropic: at(anthropic && `${anthropic}/v1`), openai: at(openai), google },
    });
  },
};
