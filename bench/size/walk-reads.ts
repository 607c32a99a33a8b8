import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;
type Parameter = { name: string; in: string; schema: { enum?: unknown[] } };
type Contract = {
  paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>;
  components: { parameters: Record<string, Parameter> };
};

export type Api = { url: string; apiKey: string };

/** How many responses had each status. */
export type Walked = Map<number | 'cut off', number>;

const contractFile = join(import.meta.dirname, '../../docs/openapi.json');
/** A stream is read that long. */
const streamMs = 1_000;
const deepOffset = 9_000;
/** What parameters of a time filter by. */
const lately = new Date(Date.now() - 20 * 86_400_000).toISOString();

/**
 * `deep`: pages by a large offset. Otherwise as they are, sorted in every way, and filtered by each parameter with a value
 * of a row.
 */
export type Pages = 'first' | 'deep';

/**
 * Makes the GETs of the published contract for what the installation has. Twice, so that statements are also planned
 * without values.
 */
export async function walkReads(api: Api, pages: Pages): Promise<Walked> {
  const contract = JSON.parse(readFileSync(contractFile, 'utf8')) as Contract;
  const walked: Walked = new Map();
  const read = async (path: string): Promise<Json> => {
    const { status, body } = await get(api, path);
    if (Number(status) >= 500) throw new Error(`GET ${path} responded with ${status}`);
    walked.set(status, (walked.get(status) ?? 0) + 1);
    return body;
  };
  const ids = new Map<string, string | undefined>();
  /** The path with ids of the first resources of its lists. Undefined: one of the lists is empty. */
  async function resolve(path: string): Promise<string | undefined> {
    const [, list, rest] = /^(.*?)\/\{\w+\}(.*)$/.exec(path) ?? [];
    if (list === undefined) return path;
    if (!ids.has(list)) ids.set(list, firstId(await read(`${listOf(list)}?limit=1`)));
    const id = ids.get(list);
    return id === undefined ? undefined : resolve(`${list}/${id}${rest ?? ''}`);
  }
  for (const [template, { get: operation }] of Object.entries(contract.paths)) {
    if (!operation || !template.startsWith('/v1/')) continue;
    const path = await resolve(template);
    if (path === undefined) continue;
    const parameters = (operation.parameters ?? []).map((one) =>
      '$ref' in one ? (contract.components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter) : one,
    );
    const [row] = rowsOf(await read(path));
    const queries = parameters
      .filter((one) => one.in === 'query' && (one.name === 'offset') === (pages === 'deep'))
      .flatMap((one) => queriesOf(one, row ?? {}));
    for (const query of [...queries, ...queries]) await read(`${path}?${query}`);
  }
  return walked;
}

/** Resources whose list has another path. */
const listOf = (path: string): string => (path === '/v1/deliveries' ? '/v1/deliveries/dead' : path);

function queriesOf({ name, schema }: Parameter, row: Json): string[] {
  if (name === 'offset') return [`offset=${deepOffset}`];
  if (name === 'limit') return ['limit=100'];
  const value = /_(after|before)$/.test(name) ? lately : row[name];
  if (schema.enum) return schema.enum.map((one) => `${name}=${encodeURIComponent(String(one))}`);
  return typeof value === 'string' || typeof value === 'number' ? [`${name}=${encodeURIComponent(value)}`] : [];
}

const rowsOf = ({ data }: Json): Json[] => (Array.isArray(data) ? (data as Json[]) : []);

function firstId(body: Json): string | undefined {
  const [row] = rowsOf(body);
  const id = row?.['id'] ?? row?.['workflow_run_id'] ?? row?.['event_id'];
  return typeof id === 'string' ? id : undefined;
}

async function get({ url, apiKey }: Api, path: string): Promise<{ status: number | 'cut off'; body: Json }> {
  const isStream = /\/(events\/stream|events)(\?|$)/.test(path) && !path.startsWith('/v1/events?');
  const signal = AbortSignal.timeout(isStream ? streamMs : 60_000);
  try {
    const response = await fetch(url + path, { headers: { 'x-api-key': apiKey }, signal });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson && text !== '' ? (JSON.parse(text) as Json) : {} };
  } catch (error) {
    if (!isStream || !signal.aborted) throw error;
    return { status: 'cut off', body: {} };
  }
}
