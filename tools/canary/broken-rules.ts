// Each entry breaks one rule in a file where it must hold. `file` need not exist, except for rules that need types.
export type BrokenRule = { rule: string; why: string; file: string; code: string; needsTypes?: true };

const boundary = '@nx/enforce-module-boundaries';
const imports = 'no-restricted-imports';
const syntax = 'no-restricted-syntax';
const use = (name: string): string => `import { thing } from '${name}';\nexport const used = thing;\n`;
const longFunction = `export function long(): number {\n${'  Math.random();\n'.repeat(80)}  return 1;\n}\n`;
const inTransaction = (line: string): string =>
  `export const work = (ctx) => ctx.inTransaction(async (tx) => {\n  await ${line};\n  return tx;\n});\n`;

/** [file, package it must not import] */
const FORBIDDEN_IMPORTS: [string, string][] = [
  ['libs/tasks/src/canary.ts', '@eas/webhooks'],
  ['libs/access/src/canary.ts', '@eas/tasks'],
  ['libs/webhooks/src/canary.ts', '@eas/tasks'],
  ['libs/analytics/src/canary.ts', '@eas/tasks'],
  ['libs/integrations/src/canary.ts', '@eas/webhooks'],
  ['libs/integrations/src/canary.ts', '@eas/receiving'],
  ['libs/receiving/src/canary.ts', '@eas/task-platform'],
  ['libs/task-platform/src/canary.ts', '@eas/source-host'],
  ['libs/chat/src/canary.ts', '@eas/task-platform'],
  ['libs/tasks/src/canary.ts', '@eas/queue'],
  ['libs/tasks/src/canary.ts', '@eas/http'],
  ['libs/webhooks/src/canary.ts', '@eas/egress'],
  ['libs/tasks/src/canary.ts', '@eas/testing'],
  ['libs/shared/core/src/canary.ts', '@eas/contracts'],
  ['libs/shared/contracts/src/canary.ts', '@eas/db'],
  ['libs/shared/db/src/canary.ts', '@eas/runtime'],
  ['libs/shared/outbound/src/canary.ts', '@eas/egress'],
  ['libs/shared/queue/src/canary.ts', '@eas/tasks'],
  ['libs/shared/http/src/canary.ts', '@eas/access'],
  ['apps/webhook-receiver/src/canary.ts', '@eas/webhooks'],
  ['apps/webhook-dispatcher/src/canary.ts', '@eas/tasks'],
  ['apps/analytics-aggregator/src/canary.ts', '@eas/webhooks'],
  ['apps/workflow-orchestrator/src/canary.ts', '@eas/analytics'],
  ['apps/api-gateway/src/canary.ts', '../../webhook-receiver/src/config.ts'],
  ['libs/webhook-verifier/src/canary.ts', '@eas/core'],
  ['libs/webhook-verifier/src/canary.ts', 'zod'],
];

const FORBIDDEN_PACKAGES: [string, string][] = [
  ['apps/api-gateway/src/canary.ts', 'express'],
  ['apps/webhook-dispatcher/src/canary.ts', 'bullmq'],
  ['apps/webhook-dispatcher/src/canary.ts', 'undici'],
  ['apps/standalone/src/canary.ts', 'ioredis'],
  ['libs/tasks/src/canary.store.ts', 'pg'],
  ['libs/tasks/src/canary.store.ts', '@prisma/client'],
  ['libs/shared/http/src/canary.ts', 'ioredis'],
  ['libs/tasks/src/canary.ts', '@eas/db/src/outbox.ts'],
  ['apps/api-gateway/src/canary.ts', '@eas/webhook-receiver/src/config.ts'],
];

export const brokenRules: BrokenRule[] = [
  ...FORBIDDEN_IMPORTS.map(([file, name]) => ({ rule: boundary, why: `imports ${name}`, file, code: use(name) })),
  ...FORBIDDEN_PACKAGES.map(([file, name]) => ({ rule: imports, why: `imports ${name}`, file, code: use(name) })),
  {
    rule: syntax,
    why: 'reads process.env outside config.ts',
    file: 'apps/api-gateway/src/canary.ts',
    code: 'export const port = process.env.PORT;\n',
  },
  {
    rule: syntax,
    why: 'takes env out of process',
    file: 'libs/tasks/src/canary.ts',
    code: 'const { env } = process;\nexport const port = env.PORT;\n',
  },
  {
    rule: syntax,
    why: 'SQL in a use case',
    file: 'libs/tasks/src/canary.ts',
    code: "export const all = (ctx) => ctx.db.query('select 1');\n",
  },
  {
    rule: syntax,
    why: 'Prisma in a use case',
    file: 'libs/tasks/src/canary.ts',
    code: 'export const all = (ctx) => ctx.db.prisma.task.findMany();\n',
  },
  { rule: syntax, why: 'default export', file: 'libs/tasks/src/canary.ts', code: 'export default 1;\n' },
  { rule: syntax, why: 'export *', file: 'libs/tasks/src/canary.ts', code: "export * from './task.ts';\n" },
  {
    rule: syntax,
    why: 'module mock',
    file: 'libs/tasks/src/canary.spec.ts',
    code: "import { jest } from '@jest/globals';\njest.mock('@eas/db');\n",
  },
  {
    rule: syntax,
    why: 'a suite that knows the queue back end by itself',
    file: 'libs/tasks/src/canary.int.spec.ts',
    code: "export const isOnRedis = process.env['TEST_QUEUE_BACKEND'] === 'redis';\n",
  },
  ...['ctx.db.query("x")', 'insertTask(ctx, 1)', 'insertTask({ ...ctx }, 1)', 'ctx.gather(1)'].map((line) => ({
    rule: 'eas/only-tx-in-transaction',
    why: `${line} inside a transaction`,
    file: 'libs/tasks/src/canary.store.ts',
    code: inTransaction(line),
  })),
  { rule: 'max-lines', why: '401 lines', file: 'libs/tasks/src/canary.ts', code: 'export {};\n'.repeat(401) },
  { rule: 'max-lines-per-function', why: '82 lines', file: 'libs/tasks/src/canary.ts', code: longFunction },
  { rule: 'no-console', why: 'console.log', file: 'libs/tasks/src/canary.ts', code: 'console.log(1);\n' },
  {
    rule: '@typescript-eslint/no-floating-promises',
    why: 'a promise that is not awaited',
    file: 'libs/shared/core/src/clock.ts',
    code: 'export function go(): void {\n  Promise.resolve(1);\n}\n',
    needsTypes: true,
  },
  {
    rule: '@typescript-eslint/switch-exhaustiveness-check',
    why: 'a switch that forgets a case',
    file: 'libs/shared/core/src/clock.ts',
    code: "export function go(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
    needsTypes: true,
  },
];

/** What must stay allowed: a rule that refuses everything would pass the list above. */
export const keptRules: BrokenRule[] = [
  { rule: boundary, why: 'integrations → tasks', file: 'libs/integrations/src/canary.ts', code: use('@eas/tasks') },
  { rule: boundary, why: 'spec → testing', file: 'libs/tasks/src/canary.spec.ts', code: use('@eas/testing') },
  {
    rule: boundary,
    why: 'spec of a published package → zod',
    file: 'libs/webhook-verifier/src/canary.spec.ts',
    code: use('zod'),
  },
  { rule: boundary, why: 'gateway → http', file: 'apps/api-gateway/src/canary.ts', code: use('@eas/http') },
  { rule: imports, why: 'http → express', file: 'libs/shared/http/src/canary.ts', code: use('express') },
  {
    rule: syntax,
    why: 'SQL in a store',
    file: 'libs/tasks/src/canary.store.ts',
    code: "export const all = (s) => s.db.query('x');\n",
  },
  ...['insertTask(tx, ctx.clock)', 'complete(contextInTransaction(ctx, tx))'].map((line) => ({
    rule: 'eas/only-tx-in-transaction',
    why: `${line} inside a transaction`,
    file: 'libs/tasks/src/canary.ts',
    code: inTransaction(line),
  })),
];
