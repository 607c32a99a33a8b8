import { getPerformance, getSeries, getUsage, getUsageRows } from '@eas/analytics';
import {
  performanceMetrics,
  performanceQuery,
  performanceSeries,
  maxUsageRows,
  seriesQuery,
  usageColumns,
  usageExportExample,
  usageQuery,
  usageReport,
} from '@eas/contracts';
import { CsvBody, defineRoute } from '@eas/http';

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
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/series',
    operationId: 'getPerformanceSeries',
    summary: 'Get performance over time',
    description: [
      'Returns how many tasks were created, were completed, were completed late, and failed, in each hour or day of a range. Use it for charts.',
      'A task counts in the interval in which each of these happened. Changes appear within seconds.',
    ],
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: seriesQuery,
    responses: { 200: { description: 'The intervals in order.', schema: performanceSeries } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await getSeries(ctx, query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/usage',
    operationId: 'getUsage',
    summary: 'Get usage of models',
    description: [
      'Returns how many calls to models agents made, with how many tokens and at what cost, in each hour or day of a range, and by task, run, agent, role, project or model.',
      'A call counts in the interval in which its usage came. Changes appear within seconds.',
    ],
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: usageQuery,
    responses: { 200: { description: 'The usage.', schema: usageReport } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await getUsage(ctx, query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/analytics/usage.csv',
    operationId: 'exportUsage',
    summary: 'Export usage of models',
    description: [
      'Returns the same numbers as a table in CSV, for spreadsheets and bills: a row for each group in each hour or day in which it had calls.',
      `At most ${maxUsageRows} rows. A text that a spreadsheet would take for a formula begins with an apostrophe.`,
    ],
    tags: ['Analytics'],
    access: { scope: 'analytics:read' },
    query: usageQuery,
    responses: {
      200: {
        description: 'The table.',
        csv: usageExportExample,
        headers: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({
      status: 200,
      body: new CsvBody(usageColumns, await getUsageRows(ctx, query)),
      headers: { 'content-disposition': `attachment; filename="usage-by-${query.group_by}.csv"` },
    }),
  }),
];
