import type { Actor, Scope } from '@eas/contracts';

/** Whose inputs alone the caller may read; undefined: all. */
export function agentOfReader({ agentId }: Actor, scopes: readonly Scope[]): string | undefined {
  return scopes.includes('tasks:read') ? undefined : (agentId ?? '');
}
