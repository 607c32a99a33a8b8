import type { Schemas } from '../../api/client.ts';

export type Rule = Schemas['PermissionRule'];

export const newRule: Rule = { action: 'ask', tool: 'execute', pattern: '*' };
export const actions: readonly Rule['action'][] = ['allow', 'ask', 'deny'];

export const textOfRules = (rules: readonly Rule[]): string =>
  JSON.stringify(rules.map(({ action, tool, pattern }) => ({ action, tool, pattern })));

/** Reads the field; invalid rules are left out. */
export function rulesOf(text: string): Rule[] {
  const parsed = JSON.parse(text || '[]') as unknown;
  return Array.isArray(parsed) ? (parsed as Rule[]).map((one) => ({ ...newRule, ...one })) : [];
}

/** The rules in a line: `ask execute git push*; deny fetch *`. */
export const lineOfRules = (rules: readonly Rule[]): string =>
  rules.map(({ action, tool, pattern }) => `${action} ${tool} ${pattern}`).join('; ');

/** Moves a rule by `by` places; unchanged at either end. */
export function moved(rules: readonly Rule[], at: number, by: number): Rule[] {
  const [one, other] = [rules[at], rules[at + by]];
  return one && other ? rules.with(at, other).with(at + by, one) : [...rules];
}
