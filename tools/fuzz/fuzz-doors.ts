import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnSystem } from '../own-system.ts';
import { mutate } from './mutate.ts';
import type { FuzzResult } from './run-target.ts';

type Door = {
  name: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  corpus: readonly string[];
  /** Where the input goes; the body unless it is a header or the query. */
  in?: 'query' | { header: string };
};

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_tasks', arguments: { limit: 1 } } };

const doors: readonly Door[] = [
  {
    name: 'MCP',
    method: 'POST',
    path: '/mcp',
    headers: { ...json, accept: 'application/json, text/event-stream' },
    corpus: [JSON.stringify(initialize), JSON.stringify(call), JSON.stringify([call, call])],
  },
  {
    name: 'bodies of tasks',
    method: 'POST',
    path: '/v1/tasks',
    headers: json,
    corpus: [JSON.stringify({ title: 't', description: 'd', tags: ['a'], metadata: { ticket_id: 'E-1' } })],
  },
  {
    name: 'token requests',
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    corpus: ['grant_type=client_credentials&client_id=a&client_secret=b&scope=tasks%3Aread'],
  },
  {
    name: 'sign-in forms',
    method: 'POST',
    path: '/admin/sign-in',
    headers: form,
    corpus: ['email=a%40b.c&password=x'],
  },
  {
    name: 'queries',
    method: 'GET',
    path: '/v1/tasks',
    headers: {},
    corpus: ['limit=20&after=v1.WyItY3JlYXRlZF9hdCIsInRza18xIixudWxsXQ', 'status=open&sort=-title&offset=3'],
    in: 'query',
  },
  {
    name: 'signatures',
    method: 'POST',
    path: '/webhook/taskplatform',
    headers: json,
    corpus: ['sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17', 'ab'.repeat(32)],
    in: { header: 'x-signature' },
  },
  {
    name: 'API keys',
    method: 'GET',
    path: '/v1/tasks',
    headers: {},
    corpus: [`eas_live_${'a'.repeat(38)}`],
    in: { header: 'x-api-key' },
  },
];

type FuzzOptions = { seconds: number; random: () => number; only: string };

/** The doors of a whole system of its own: any response below 500 handles an input, and the system has to stay up. */
export async function fuzzDoors({ seconds, random, only }: FuzzOptions): Promise<[string, FuzzResult][]> {
  const chosen = doors.filter(({ name }) => name.startsWith(only));
  if (chosen.length === 0) return [];
  const limits = { BOOTSTRAP_RATE_LIMIT: '10000000', AUTH_FAILURES_PER_MINUTE: '1000000' };
  const system = await startOwnSystem(process.env, limits);
  try {
    const results: [string, FuzzResult][] = [];
    for (const door of chosen) results.push([door.name, await fuzzDoor(door, system, { seconds, random })]);
    return results;
  } finally {
    await system.stop();
  }
}

async function fuzzDoor(
  door: Door,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { seconds, random }: Omit<FuzzOptions, 'only'>,
): Promise<FuzzResult> {
  const corpus = door.corpus.map((text) => Buffer.from(text));
  const pick = () => corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0);
  const result: FuzzResult = { inputs: 0, kept: corpus.length, slowestMs: 0 };
  const work = async () => {
    for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt && !result.finding;) {
      const input = mutate(pick(), pick(), random);
      const startedAt = performance.now();
      const error = await send(door, baseUrl, apiKey, input).catch((thrown: unknown) => thrown);
      result.inputs += 1;
      result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt);
      if (error !== undefined) result.finding = { input, error };
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return result;
}

/** Gives what is wrong. */
async function send(door: Door, baseUrl: string, apiKey: string, input: Buffer): Promise<Error | undefined> {
  const { method, path, in: place } = door;
  const text = input.toString('latin1').replaceAll(/[^\x21-\x7e]/g, '~');
  const headers = {
    'x-api-key': apiKey,
    ...door.headers,
    ...(typeof place === 'object' ? { [place.header]: text } : {}),
  };
  const url = `${baseUrl}${path}${place === 'query' ? `?${text.replaceAll('#', '%23')}` : ''}`;
  const body = method === 'GET' ? {} : { body: place === undefined ? new Uint8Array(input) : '{}' };
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
    ...body,
  });
  const received = await response.text();
  if (response.status === 503) return void (await sleep(100));
  return response.status >= 500 ? new Error(`${response.status}: ${received.slice(0, 500)}`) : undefined;
}
