import { AppError } from '@eas/core';
import type { Route } from './route.ts';

/** The parameters of a path; a malformed id is an unknown one. */
export function readParams(route: Route, values: readonly string[]): Record<string, unknown> {
  if (!route.params) return {};
  const params: Record<string, string> = {};
  Object.keys(route.params.shape).forEach((name, index) => (params[name] = decodeSegment(values[index] ?? '')));
  const parsed = route.params.safeParse(params);
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}

function decodeSegment(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Falls through to the same response.
  }
  throw new AppError('not_found');
}
