import { getPerformance } from '@eas/analytics';
import { performanceMetrics, performanceQuery } from '@eas/contracts';
import { defineRoute } from '@eas/http';

export const analyticsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/performance',
    operationId: 'getPerformance',
    summary: 'Get performance metrics',
    description: [
      'Returns how tasks and agents perform in the current day, week, month, quarter or year. All numbers cover the tasks that were created in this period.',
      'Changes appear within seconds.',
    ],
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: performanceQuery,
    responses: { 200: { description: 'The metrics.', schema: performanceMetrics } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await getPerformance(ctx, query) }),
  }),
];
