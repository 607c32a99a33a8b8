import { monthPattern } from '@eas/contracts/month';
import { oneOf, readTexts } from '../resources/read-search.ts';

/** How all tenants of a month can be sorted. */
export const usageSorts = {
  '-events': 'Most events first',
  '-tasks_created': 'Most tasks first',
  '-deliveries': 'Most deliveries first',
  '-model_cost_usd': 'Highest cost of models first',
  '-average_storage_bytes': 'Most storage first',
  name: 'By name',
} as const;
export type UsageSort = keyof typeof usageSorts;
const sorts = Object.keys(usageSorts) as UsageSort[];

/** Without a month: the current one. With a tenant: all of its months. */
export type UsageSearch = { month?: string; sort?: UsageSort; tenant?: string };

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { month, sort: text, tenant } = readTexts(search, ['month', 'sort', 'tenant']);
  const sort = oneOf(sorts, text);
  const isMonth = month !== undefined && monthPattern.test(month);
  return { ...(isMonth && { month }), ...(sort && { sort }), ...(tenant !== undefined && { tenant }) };
}
