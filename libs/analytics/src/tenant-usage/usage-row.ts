import { type MonthlyUsage, type UsageFigures, usageFigureNames } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

/** A month as it is read. */
export type UsageRow = UsageFigures & { month: string; updatedAt: Date; closedAt: Date | null };

/** Figures that are not a column of the same name. */
const sqlOf: Partial<Record<keyof UsageFigures, string>> = {
  delivery_attempts: 'attempts',
  model_cost_usd: '(cost / 1e6)::float8',
  storage_bytes: 'CASE WHEN storage_days > 0 THEN storage_bytes END',
  average_storage_bytes: 'storage_byte_days / nullif(storage_days, 0)',
};
export const figureSql = (name: keyof UsageFigures): string => sqlOf[name] ?? name;

/** Select list of a UsageRow. */
export const usageColumnsSql = `to_char(month, 'YYYY-MM') AS month, updated_at AS "updatedAt", closed_at AS "closedAt",
  ${usageFigureNames.map((name) => `${figureSql(name)} AS ${name}`).join(', ')}`;

export const figuresOf = (row: UsageRow): UsageFigures =>
  Object.fromEntries(usageFigureNames.map((name) => [name, row[name]])) as UsageFigures;

export const monthlyUsageOf = (row: UsageRow): MonthlyUsage => ({
  month: row.month,
  ...figuresOf(row),
  updated_at: formatTimestamp(row.updatedAt),
  closed_at: row.closedAt && formatTimestamp(row.closedAt),
});
