import type { Env } from '../key/env.ts';
import { modelKeyNames } from '../key/model-keys.ts';
import type { ProviderId } from './model-access.ts';

/** Where calls to a provider go, and with which headers in place of the token of the task. */
export type Upstream = { id: ProviderId; baseUrl: URL; headers: Readonly<Record<string, string>>; key: string };

type Provider = {
  id: ProviderId;
  baseVariable: string;
  /** Where its own variable is not set. Paths of calls begin behind it. */
  baseUrl: string;
  /** The first of these variables that is set has the key. */
  keys: readonly (readonly [name: (typeof modelKeyNames)[number], headers: (key: string) => Record<string, string>])[];
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const googleKey = (key: string) => ({ 'x-goog-api-key': key });

const providers: readonly Provider[] = [
  {
    id: 'anthropic',
    baseVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com',
    keys: [
      ['ANTHROPIC_API_KEY', (key) => ({ 'x-api-key': key })],
      ['ANTHROPIC_AUTH_TOKEN', bearer],
    ],
  },
  {
    id: 'openai',
    baseVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    keys: [['OPENAI_API_KEY', bearer]],
  },
  {
    id: 'gemini',
    baseVariable: 'GOOGLE_GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keys: [
      ['GEMINI_API_KEY', googleKey],
      ['GOOGLE_API_KEY', googleKey],
    ],
  },
];

/** The providers that the environment of the runner has a key of. Throws a sentence for an address that is none. */
export function upstreamsIn(env: Env): Upstream[] {
  return providers.flatMap(({ id, baseVariable, baseUrl, keys }) => {
    const found = keys.find(([name]) => env[name]);
    if (!found) return [];
    const [name, headersOf] = found;
    const key = env[name] ?? '';
    return [{ id, baseUrl: addressIn(env, baseVariable, baseUrl), headers: headersOf(key), key }];
  });
}

function addressIn(env: Env, variable: string, fallback: string): URL {
  const text = env[variable] || fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new Error(`${variable} must be an address that begins with https:// or http://.`);
}

/** The environment without keys of models. */
export function withoutModelKeys(env: Env): Record<string, string | undefined> {
  const names: readonly string[] = modelKeyNames;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
