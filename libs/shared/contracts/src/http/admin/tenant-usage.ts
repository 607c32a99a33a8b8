import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampOutput } from '../../fields.ts';
import { monthPattern } from '../../month.ts';
import { exampleUsageFigures, usageFigureNames, usageFigures } from '../../usage-figures.ts';
import { csvExample } from '../csv-example.ts';
import { listQuery, listResponse } from '../list.ts';

const monthInput = z.string().max(7).regex(monthPattern, { message: 'must be a month such as 2026-11' });
const tenantInput = z.string().min(1).max(64);

const times = {
  updated_at: timestampOutput.describe('When a figure last changed.'),
  closed_at: timestampOutput
    .nullable()
    .describe(
      'When the month was closed, four days after its end or later: it does not change any more. null: it is open.',
    ),
};
const month = z.string().max(7).describe('The month in UTC, as `2026-11`.');
const exampleTimes = { updated_at: exampleTime, closed_at: null };
const exampleMonth = '2026-11';

const monthlyUsage = z.object({ month, ...usageFigures, ...times }).meta({
  id: 'MonthlyUsage',
  description: 'What the tenant used in a month.',
  example: { month: exampleMonth, ...exampleUsageFigures, ...exampleTimes },
});
export type MonthlyUsage = z.infer<typeof monthlyUsage>;

export const monthlyUsageQuery = listQuery({ sortable: ['month'], filters: { month: monthInput } });
export const monthlyUsageList = listResponse(monthlyUsage);

const tenant = {
  tenant_id: idOf('ID of the tenant.'),
  slug: z.string().max(64).describe('Short name of the tenant.'),
  name: z.string().max(1_000).describe('Name of the tenant.'),
};
const exampleTenant = { tenant_id: exampleId('tnt'), slug: 'acme', name: 'Acme' };

const tenantUsage = z.object({ ...tenant, month, ...usageFigures, ...times }).meta({
  id: 'TenantUsage',
  description: 'What a tenant used in a month.',
  example: { ...exampleTenant, month: exampleMonth, ...exampleUsageFigures, ...exampleTimes },
});
export type TenantUsage = z.infer<typeof tenantUsage>;

const filters = {
  month: monthInput.describe('The month. Default: the current one, or all months of `tenant_id`.'),
  tenant_id: tenantInput.describe('Limits the rows to one tenant.'),
};

export const tenantUsageQuery = listQuery({
  sortable: ['slug', 'name', 'month', ...usageFigureNames],
  filters,
});
export const tenantUsageList = listResponse(tenantUsage);

/** Maximum number of rows in one export. */
export const maxTenantUsageRows = 20_000;

export const tenantUsageExportQuery = z.object(filters).partial();

/** Columns of the export, in their order. */
export const tenantUsageColumns = ['tenant_id', 'slug', 'name', 'month', ...usageFigureNames, 'closed_at'] as const;
export const tenantUsageExportExample = csvExample([
  tenantUsageColumns,
  [...Object.values(exampleTenant), exampleMonth, ...(Object.values(exampleUsageFigures) as number[]), ''],
]);
