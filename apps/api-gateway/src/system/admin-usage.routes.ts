import { requireOperator } from '@eas/access';
import { exportTenantUsage, listTenantUsage } from '@eas/analytics';
import {
  listBody,
  maxTenantUsageRows,
  pageOf,
  tenantUsageColumns,
  tenantUsageExportExample,
  tenantUsageExportQuery,
  tenantUsageList,
  tenantUsageQuery,
} from '@eas/contracts';
import { CsvBody, defineRoute, type Route } from '@eas/http';
import { forOperators } from './for-operators.ts';

const common = { tags: ['Administration'], access: { scope: 'admin' } } as const;
const whenFinal =
  'A month is closed four days after its end or later, and does not change any more. What comes after that counts in no month.';

export const adminUsageRoutes: Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/usage',
    operationId: 'listTenantUsage',
    summary: 'List the usage of tenants',
    description: [
      'Returns a page of what tenants used in a month, or of the months of one tenant (`tenant_id`). Use it to bill them, and to find the largest.',
      whenFinal,
      forOperators,
    ],
    query: tenantUsageQuery,
    responses: { 200: { description: 'A page of months, the latest first by default.', schema: tenantUsageList } },
    errors: ['forbidden', 'invalid_request'],
    handler: async (ctx, { principal, query }) => {
      requireOperator(principal);
      const { limit, offset, after, sort = '-month', month, tenant_id: tenantId } = query;
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listTenantUsage(ctx, { month, tenantId }, page)) };
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/usage.csv',
    operationId: 'exportTenantUsage',
    summary: 'Export the usage of tenants',
    description: [
      'Returns the same numbers as a table in CSV, for spreadsheets and bills: a row for each tenant and month.',
      `At most ${maxTenantUsageRows} rows. A text that a spreadsheet would take for a formula begins with an apostrophe.`,
      forOperators,
    ],
    query: tenantUsageExportQuery,
    responses: {
      200: {
        description: 'The table.',
        csv: tenantUsageExportExample,
        headers: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    errors: ['forbidden', 'invalid_request'],
    handler: async (ctx, { principal, query: { month, tenant_id: tenantId } }) => {
      requireOperator(principal);
      const rows = await exportTenantUsage(ctx, { month, tenantId });
      return {
        status: 200,
        body: new CsvBody(tenantUsageColumns, rows),
        headers: { 'content-disposition': `attachment; filename="usage-${month ?? tenantId ?? 'of-this-month'}.csv"` },
      };
    },
  }),
];
