import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnSystem } from '@eas/testing/own-system';
import { mutate } from './mutate.ts';
import type { FuzzResult } from './run-target.ts';

type EntryPoint = {
  name: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Inputs, each with its expected status, which proves that it reached its target. */
  corpus: readonly (readonly [status: number, input: string])[];
  /** Where the input goes; the body unless it is a header or the query. */
  in?: 'query' | { header: string; body: string };
  /** After it each request has a number of its own, as tries with the same value are limited. */
  numbered?: string;
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

const client = { client_id: 'fuzz', client_secret: 'fuzz-secret', redirect_uris: ['https://app.example.com/callback'] };
const redirectUri = encodeURIComponent('https://app.example.com/callback');
const integration = { type: 'taskplatform', webhook_id: 'fuzz', secret: 'the secret of the integration' };
const receipt = JSON.stringify({ event: 'taskCreated', task_id: 't1', webhook_id: integration.webhook_id });

const entryPoints: readonly EntryPoint[] = [
  {
    name: 'MCP',
    method: 'POST',
    path: '/mcp',
    headers: { ...json, accept: 'application/json, text/event-stream' },
    corpus: [
      [200, JSON.stringify(initialize)],
      [200, JSON.stringify(call)],
      [400, JSON.stringify([call, call])],
    ],
  },
  {
    name: 'bodies of tasks',
    method: 'POST',
    path: '/v1/tasks',
    headers: json,
    corpus: [[201, JSON.stringify({ title: 't', description: 'd', tags: ['a'], metadata: { ticket_id: 'E-1' } })]],
  },
  {
    name: 'token requests',
    method: 'POST',
    path: '/oauth/token',
    headers: { ...form, authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    corpus: [
      [
        400,
        `grant_type=authorization_code&code=${'c'.repeat(43)}&redirect_uri=${redirectUri}&code_verifier=${'v'.repeat(43)}`,
      ],
      [400, `grant_type=refresh_token&refresh_token=${'r'.repeat(43)}&scope=tasks%3Aread`],
    ],
  },
  {
    name: 'clients of token requests',
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    corpus: [
      [
        400,
        `grant_type=refresh_token&refresh_token=r&client_id=${client.client_id}&client_secret=${client.client_secret}`,
      ],
      [401, 'grant_type=authorization_code&code=c&client_id=unknown&client_secret=s'],
    ],
  },
  {
    name: 'sign-in forms',
    method: 'POST',
    path: '/sign-in',
    headers: form,
    corpus: [[401, 'email=fuzz%40b.c&password=x&return_to=%2Fadmin%2F']],
    numbered: 'email=',
  },
  {
    name: 'queries',
    method: 'GET',
    path: '/v1/tasks',
    headers: {},
    corpus: [
      [200, 'limit=20&after=v1.WyItY3JlYXRlZF9hdCIsInRza18xIixudWxsXQ'],
      [200, 'status=open&sort=-title&offset=3'],
    ],
    in: 'query',
  },
  {
    name: 'signatures',
    method: 'POST',
    path: '/webhook/taskplatform',
    headers: json,
    corpus: [
      [200, createHmac('sha256', integration.secret).update(receipt).digest('hex')],
      [403, 'ab'.repeat(32)],
    ],
    in: { header: 'x-signature', body: receipt },
  },
  {
    name: 'signatures of source hosts',
    method: 'POST',
    path: '/webhook/sourcehost',
    headers: { ...json, 'x-github-event': 'ping', 'x-github-delivery': 'fuzz' },
    corpus: [[403, `sha256=${'ab'.repeat(32)}`]],
    in: { header: 'x-hub-signature-256', body: '{"organization":{"login":"fuzz"}}' },
  },
  {
    name: 'signatures of chats',
    method: 'POST',
    path: '/webhook/chat',
    headers: { ...json, 'x-slack-request-timestamp': '1' },
    corpus: [[403, `v0=${'ab'.repeat(32)}`]],
    in: { header: 'x-slack-signature', body: '{"type":"event_callback","team_id":"T1"}' },
  },
  {
    name: 'tokens',
    method: 'GET',
    path: '/v1/tasks',
    headers: {},
    corpus: [[401, `Bearer ${'a'.repeat(43)}`]],
    in: { header: 'authorization', body: '' },
  },
  {
    name: 'clients in headers',
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    corpus: [
      [400, `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`],
      [401, `Basic ${btoa('fuzz:wrong')}`],
      [400, 'Basic %%%'],
    ],
    in: { header: 'authorization', body: 'grant_type=refresh_token&refresh_token=r' },
  },
  {
    name: 'API keys',
    method: 'GET',
    path: '/v1/tasks',
    headers: {},
    corpus: [[401, `eas_live_${'a'.repeat(38)}`]],
    in: { header: 'x-api-key', body: '' },
  },
];

type FuzzOptions = { seconds: number; random: () => number; only: string };

/** The entry points of a separate system, which must stay up: any response below 500 except 429 handles an input. */
export async function fuzzEntryPoints({ seconds, random, only }: FuzzOptions): Promise<[string, FuzzResult][]> {
  const chosen = entryPoints.filter(({ name }) => name.startsWith(only));
  if (chosen.length === 0) return [];
  const limits = { BOOTSTRAP_RATE_LIMIT: '10000000', AUTH_FAILURES_PER_MINUTE: '1000000' };
  const settings = { ...limits, RECEIVER_ALLOW_UNSIGNED: 'false', BOOTSTRAP_OAUTH_CLIENT: JSON.stringify(client) };
  const system = await startOwnSystem(process.env, settings);
  try {
    const results: [string, FuzzResult][] = [];
    await connect(system);
    for (const entryPoint of chosen)
      results.push([entryPoint.name, await fuzzEntryPoint(entryPoint, system, { seconds, random })]);
    return results;
  } finally {
    await system.stop();
  }
}

/** Signatures are compared with those of an integration. */
async function connect({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/integrations`, {
    method: 'POST',
    headers: { ...json, 'x-api-key': apiKey },
    body: JSON.stringify(integration),
  });
  if (!response.ok) throw new Error(`The integration was not created: ${await response.text()}`);
}

async function fuzzEntryPoint(
  entryPoint: EntryPoint,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { seconds, random }: Omit<FuzzOptions, 'only'>,
): Promise<FuzzResult> {
  const corpus = entryPoint.corpus.map(([, text]) => Buffer.from(text));
  const pick = () => corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0);
  const result: FuzzResult = { inputs: 0, kept: corpus.length, slowestMs: 0 };
  result.finding = await findWrong(entryPoint, baseUrl, apiKey);
  if (result.finding) return result;
  const work = async () => {
    for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt && !result.finding;) {
      const input = mutate(pick(), pick(), random);
      const startedAt = performance.now();
      const error = await sendChanged(entryPoint, baseUrl, apiKey, input).catch((thrown: unknown) => thrown);
      result.inputs += 1;
      result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt);
      if (error !== undefined) result.finding = { input, error };
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  // It still works: a system that always responds with 503 would not have handled its input.
  result.finding ??= await findWrong(entryPoint, baseUrl, apiKey);
  return result;
}

/** Sends the inputs as they are; a system that was busy with others gets a few seconds. */
async function findWrong(entryPoint: EntryPoint, baseUrl: string, apiKey: string): Promise<FuzzResult['finding']> {
  for (const [expected, text] of entryPoint.corpus) {
    const input = Buffer.from(text);
    let response = await send(entryPoint, baseUrl, apiKey, input);
    for (let left = 20; response.status === 503 && expected !== 503 && left > 0; left -= 1) {
      await sleep(500);
      response = await send(entryPoint, baseUrl, apiKey, input);
    }
    const { status, received } = response;
    if (status !== expected) return { input, error: new Error(`${status} and not ${expected} as it is: ${received}`) };
  }
  return undefined;
}

/** Returns the finding. */
async function sendChanged(
  entryPoint: EntryPoint,
  baseUrl: string,
  apiKey: string,
  input: Buffer,
): Promise<Error | undefined> {
  const { status, received } = await send(entryPoint, baseUrl, apiKey, input);
  if (status === 503) return void (await sleep(100));
  // A rate limit would hide later code.
  return status >= 500 || status === 429 ? new Error(`${status}: ${received}`) : undefined;
}

/** A second key would be used instead. */
const isAboutAuthorization = (place: EntryPoint['in']) => typeof place === 'object' && place.header === 'authorization';

type Received = { status: number; received: string };

let requests = 0;

async function send(entryPoint: EntryPoint, baseUrl: string, apiKey: string, changed: Buffer): Promise<Received> {
  const { method, path, in: place, numbered } = entryPoint;
  requests += 1;
  const input = numbered === undefined ? changed : withNumber(changed, numbered);
  const text = input.toString('latin1').replaceAll(place === 'query' ? /[^\x21-\x7e]/g : /[^\x20-\x7e]/g, '~');
  const headers = {
    // As a proxy would: tries of one address are limited.
    'x-forwarded-for': `10.${[16, 8, 0].map((bits) => (requests >> bits) & 255).join('.')}`,
    ...(isAboutAuthorization(place) ? {} : { 'x-api-key': apiKey }),
    ...entryPoint.headers,
    ...(typeof place === 'object' ? { [place.header]: text } : {}),
  };
  const url = `${baseUrl}${path}${place === 'query' ? `?${text.replaceAll('#', '%23')}` : ''}`;
  const body = method === 'GET' ? {} : { body: typeof place === 'object' ? place.body : new Uint8Array(input) };
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
    ...body,
  });
  return { status: response.status, received: (await response.text()).slice(0, 500) };
}

const withNumber = (input: Buffer, numbered: string): Buffer =>
  Buffer.from(input.toString('latin1').replaceAll(numbered, `${numbered}${requests}`), 'latin1');
