import { type Period, periods } from '../resources/performance-words.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';

/** What the address contains; without a period: this month. */
export type AnalyticsSearch = { period?: Period; role?: string };

export function readAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const { period: text, role } = readTexts(search, ['period', 'role']);
  const period = oneOf(periods, text);
  const isRole = role !== undefined && /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(role);
  return { ...(period && { period }), ...(isRole && { role }) };
}
