import { type Attack, call, hammer, type Target } from './attack.ts';

const long = (bytes: number) => 'x'.repeat(bytes);
const draft = { title: 'A task of the attacker', description: 'To be done.', assigned_role: 'attacker' };

async function createTask(target: Target, over: object = {}): Promise<string> {
  const { body } = await call(target, 'POST', '/v1/tasks', { ...draft, ...over });
  return (JSON.parse(body) as { id: string }).id;
}

/** All activity was once built as one string. */
export const longHistory: Attack = {
  name: 'long-history',
  about: 'reads of a task with 400 comments of 60 KB',
  allowed: [200, 429],
  prepare: async (target) => {
    const id = await createTask(target);
    for (let number = 0; number < 400; number += 8)
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          call(target, 'POST', `/v1/tasks/${id}/comments`, { content: long(60_000) }, index),
        ),
      );
    return id;
  },
  run: (target, id) => hammer(target, 8, (number) => call(target, 'GET', `/v1/tasks/${id}`, undefined, number)),
};

/** Pages were limited by rows alone. */
export const widePages: Attack = {
  name: 'wide-pages',
  about: 'pages of 100 events of 120 KB each, which are too large',
  allowed: [200, 400, 429],
  prepare: async (target) => {
    const over = { description: long(60_000), metadata: { filler: long(60_000) } };
    for (let number = 0; number < 120; number += 1) await createTask(target, over);
  },
  run: (target) => hammer(target, 4, (number) => call(target, 'GET', '/v1/events?limit=100&after=', undefined, number)),
};

/** Schemas of 16 KB took seconds to compile, or to check a result against. */
const deep = (depth: number): object => (depth === 0 ? {} : { items: deep(depth - 1) });
const evilSchemas: object[] = [
  deep(600),
  { anyOf: Array.from({ length: 900 }, (_, n) => ({ const: n })) },
  { enum: Array.from({ length: 3_000 }, (_, n) => n) },
  { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { items: { $ref: '#/$defs/a' } }] } }, $ref: '#/$defs/a' },
  {
    $defs: Object.fromEntries(
      Array.from({ length: 24 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    ),
    $ref: '#/$defs/d0',
  },
  { uniqueItems: true, items: { oneOf: Array.from({ length: 300 }, (_, n) => ({ properties: { [`p${n}`]: {} } })) } },
];

export const evilResultSchemas: Attack = {
  name: 'evil-schemas',
  about: 'result schemas that take long to compile',
  allowed: [201, 400, 429, 503],
  run: (target) =>
    hammer(target, 4, (number) => {
      const contract = { result_schema: evilSchemas[number % evilSchemas.length] };
      return call(target, 'POST', '/v1/tasks', { ...draft, contract }, number);
    }),
};

/** As many requests as a tenant can send, beyond its rate limit. */
export const greedyTenant: Attack = {
  name: 'noisy-tenant',
  about: 'tasks created as fast as responses come, on 32 connections with several keys',
  allowed: [201, 429],
  run: (target) => hammer(target, 32, (number) => call(target, 'POST', '/v1/tasks', draft, number)),
};

export const wrongKeys: Attack = {
  name: 'wrong-keys',
  about: 'credentials that are not known, on 16 connections',
  allowed: [401, 429],
  run: (target) =>
    hammer(target, 16, (number) =>
      call({ ...target, apiKeys: [`wrong-key-number-${number}-of-the-attacker`] }, 'GET', '/v1/tasks'),
    ),
};
