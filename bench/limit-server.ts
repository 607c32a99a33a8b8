import { createAuthenticator, ensureBootstrapKey } from '@eas/access';
import {
  agentDetail,
  createTaskBody,
  defaultTenantId,
  idOutput,
  inboundAccepted,
  listResponse,
  performanceMetrics,
  performanceQuery,
  platformEventByKind,
  taskDetail,
  taskListItem,
  taskListQuery,
  taskResource,
} from '@eas/contracts';
import { AppError, createSecretBox, formatTimestamp, newId } from '@eas/core';
import { createContext, openDatabase } from '@eas/db';
import { countInPostgres, countInRedis, createCallBudget, defineRoute, mountRoutes, serve } from '@eas/http';
import { connectRedis } from '@eas/queue/redis-connection';
import {
  databaseSettings,
  healthSettings,
  loadSettings,
  loggingSettings,
  redisSettings,
  runProcess,
  secretSettings,
  serveHealth,
  shutdownSettings,
  timeResponses,
  variables,
} from '@eas/runtime';
import { z } from 'zod';
import * as constants from './reads/read-constants.ts';

// The limit of the HTTP stack alone: the apps' server with authentication, limiter, request ids, logging and the real
// contracts. Its handlers respond at once and write nothing.

const configShape = {
  port: variables.port((type) => type.describe('where it listens')),
  apiKey: variables.bootstrapKey((type) => type.describe('the key of the bench')),
  database: databaseSettings,
  redis: redisSettings,
  secrets: secretSettings,
  logging: loggingSettings,
  shutdown: shutdownSettings,
  health: healthSettings(3009),
};

const createTask = defineRoute({
  method: 'POST',
  path: '/v1/tasks',
  summary: 'Create a task',
  tags: ['Tasks'],
  access: { scope: 'tasks:write' },
  body: createTaskBody,
  responses: { 201: { description: 'The task', schema: taskResource } },
  errors: ['invalid_input'],
  handler: async (_ctx, { body }) => {
    const id = newId('task');
    const { due_date: dueDate, ...rest } = body;
    const task = {
      id,
      assigned_role: null,
      priority: 'medium' as const,
      tags: [],
      project: null,
      ...rest,
      status: 'created' as const,
      due_date: dueDate && formatTimestamp(dueDate),
      created_at: formatTimestamp(new Date()),
    };
    return { status: 201, body: task, headers: { Location: `/v1/tasks/${id}` } };
  },
});

const receive = defineRoute({
  method: 'POST',
  path: '/webhook/taskplatform',
  summary: 'Receive an event of the task platform',
  tags: ['Receivers'],
  access: { signature: true },
  responses: { 200: { description: 'Acknowledged', schema: inboundAccepted } },
  errors: ['invalid_request'],
  handler: async (_ctx, { rawBody }) => {
    const parsed = platformEventByKind.task.safeParse(JSON.parse(rawBody.toString('utf8')));
    if (!parsed.success) throw new AppError('invalid_request');
    return { status: 200, body: { ok: true } };
  },
});

const readAgent = defineRoute({
  method: 'GET',
  path: '/v1/agents/{agent_id}',
  summary: 'Read one agent',
  tags: ['Agents'],
  access: { scope: 'agents:read' },
  params: z.object({ agent_id: idOutput }),
  responses: { 200: { description: 'The agent', schema: agentDetail } },
  errors: ['not_found'],
  handler: async () => ({ status: 200, body: constants.agent }),
});

const readTask = defineRoute({
  method: 'GET',
  path: '/v1/tasks/{task_id}',
  summary: 'Read one task',
  tags: ['Tasks'],
  access: { scope: 'tasks:read' },
  params: z.object({ task_id: idOutput }),
  responses: { 200: { description: 'The task', schema: taskDetail } },
  errors: ['not_found'],
  handler: async () => ({ status: 200, body: constants.task }),
});

const listTasks = defineRoute({
  method: 'GET',
  path: '/v1/tasks',
  summary: 'List tasks',
  tags: ['Tasks'],
  access: { scope: 'tasks:read' },
  query: taskListQuery,
  responses: { 200: { description: 'A page of tasks', schema: listResponse(taskListItem) } },
  errors: ['invalid_request'],
  handler: async () => ({ status: 200, body: constants.list }),
});

const readPerformance = defineRoute({
  method: 'GET',
  path: '/v1/analytics/performance',
  summary: 'Read figures',
  tags: ['Analytics'],
  access: { scope: 'analytics:read' },
  query: performanceQuery,
  responses: { 200: { description: 'The figures', schema: performanceMetrics } },
  errors: ['invalid_request'],
  handler: async () => ({ status: 200, body: constants.performance }),
});

const callsPerMinute = 10_000_000;

await runProcess({
  name: 'limit-server',
  loadConfig: () => loadSettings(configShape, process.env),
  async start(parts) {
    const { config, logger, metrics, onShutdown } = parts;
    const database = await openDatabase({ ...config.database, applicationName: 'limit-server', logger });
    onShutdown('database', () => database.close());
    const secrets = createSecretBox(config.secrets.encryptionKeys);
    const contextParts = { database, secrets, logger };
    const system = { tenantId: defaultTenantId, actor: { id: 'system' } };
    await ensureBootstrapKey(createContext(contextParts, system), { key: config.apiKey, rateLimit: callsPerMinute });
    const authenticator = createAuthenticator({ database, logger });
    onShutdown('authenticator', () => authenticator.close());
    const redis = config.redis.url ? connectRedis(config.redis.url, 'producer', () => {}) : undefined;
    onShutdown('redis', () => redis?.disconnect());
    const app = mountRoutes([createTask, receive, readAgent, readTask, listTasks, readPerformance], {
      authenticate: authenticator.authenticate,
      makeContext: (caller) => createContext(contextParts, caller),
      budget: createCallBudget({
        count: redis ? countInRedis(redis) : countInPostgres(database.db),
        logger,
        perTenant: callsPerMinute,
        failedLookUps: callsPerMinute,
      }),
      logger,
      onResponse: timeResponses(metrics),
    });
    const listening = await serve(app, { host: '127.0.0.1', port: config.port });
    onShutdown('http', (remainingMs) => listening.close(remainingMs));
    await serveHealth(parts, { database: () => database.ping() });
  },
});
