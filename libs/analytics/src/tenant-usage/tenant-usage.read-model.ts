import type { Page, PageOfItems } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import { usageColumnsSql, type UsageRow } from './usage-row.ts';

const source: ListSource = {
  from: `(SELECT to_char(month, 'YYYY-MM') AS id, * FROM tenant_usage) AS months`,
  columns: `id, ${usageColumnsSql}`,
  sortable: { month: { sql: 'id', type: 'text' } },
};

/** The months of the tenant, also those that are open. */
export const pageMonths = (
  scope: DbScope,
  { month }: { month: string | undefined },
  page: Page,
): Promise<PageOfItems<UsageRow & { id: string }>> =>
  fetchPage(scope, source, [equals('month', month && `${month}-01`)], page);
