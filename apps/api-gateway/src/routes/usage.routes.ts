import { listMonthlyUsage } from '@eas/analytics';
import { listBody, monthlyUsageList, monthlyUsageQuery, pageOf } from '@eas/contracts';
import { defineRoute } from '@eas/http';

export const usageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/usage',
    operationId: 'listMonthlyUsage',
    summary: 'List usage by month',
    description: [
      'Returns a page of what your tenant used in each month: tasks, events, deliveries, tokens and storage, as the operator of the service may bill them.',
      'The current month follows within minutes, deliveries after 15 minutes. A month is closed four days after its end or later, and does not change any more.',
    ],
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: monthlyUsageQuery,
    responses: { 200: { description: 'A page of months, the latest first by default.', schema: monthlyUsageList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort = '-month', month } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listMonthlyUsage(ctx, { month }, page)) };
    },
  }),
];
