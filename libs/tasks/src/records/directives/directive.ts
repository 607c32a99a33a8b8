import type { Directive } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

type Kinds = { [D in Directive as D['kind']]: Omit<D, 'id' | 'kind' | 'created_at'> };

/**
 * A message to the agent that works on a task: to the holder of that lease alone, or (unset) to who holds the task now
 * or next.
 */
export type NewDirective = { [K in keyof Kinds]: { kind: K; leaseId?: string; data: Kinds[K] } }[keyof Kinds];

/** A directive as the store gives it; `at` is the moment as Postgres writes it into JSON. */
export type DirectiveRow = { id: string; kind: Directive['kind']; data: Record<string, unknown>; at: string };

export function toDirective({ id, kind, data, at }: DirectiveRow): Directive {
  return { id, kind, ...data, created_at: formatTimestamp(new Date(at)) } as Directive;
}
