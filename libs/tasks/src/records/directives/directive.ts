import type { Directive } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

type Kinds = { [D in Directive as D['kind']]: Omit<D, 'id' | 'kind' | 'created_at'> };

/**
 * A message to the agent that works on a task: only to the holder of that lease, or (unset) to the current or next
 * holder of the task.
 */
export type NewDirective = { [K in keyof Kinds]: { kind: K; leaseId?: string; data: Kinds[K] } }[keyof Kinds];

/** A directive from the store; `at` is the time as Postgres writes it into JSON. */
export type DirectiveRow = { id: string; kind: Directive['kind']; data: Record<string, unknown>; at: string };

export function toDirective({ id, kind, data, at }: DirectiveRow): Directive {
  return { id, kind, ...data, created_at: formatTimestamp(new Date(at)) } as Directive;
}
