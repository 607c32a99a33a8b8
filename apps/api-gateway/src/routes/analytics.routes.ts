import { getPerformance } from '@eas/analytics';
import { performanceMetrics, performanceQuery } from '@eas/contracts';
import { defineRoute } from '@eas/http';

export const analyticsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/performance',
    operationId: 'getPerformance',
    summary: 'Get performance metrics',
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: performanceQuery,
    responses: { 200: { description: 'Figures over the tasks created in the period.', schema: performanceMetrics } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await getPerformance(ctx, query) }),
  }),
];
