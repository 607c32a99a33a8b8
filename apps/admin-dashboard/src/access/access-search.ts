import { definedOf } from '../parts/defined.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';
import { enumWords } from '../generated/words.ts';
import type { Role } from './access-words.ts';

export const keyStatuses = ['active', 'expired', 'revoked'] as const;
export const userStatuses = ['active', 'invited'] as const;
export const roles = Object.keys(enumWords.UserRole) as Role[];

type New = { new?: true };
/** What the addresses of the lists contain. */
export type KeySearch = New & { status?: (typeof keyStatuses)[number]; agent_id?: string };
export type UserSearch = New & { status?: (typeof userStatuses)[number]; role?: Role };
/** Whether the form that changes the resource is open. */
export type EditSearch = { edit?: true };

const auditTexts = ['action', 'actor_id', 'target_id', 'created_after', 'created_before', 'entry'] as const;
/** `entry`: the one that is shown whole. */
export type AuditSearch = Partial<Record<(typeof auditTexts)[number], string>>;

type Search = Record<string, unknown>;

export const readNewSearch = (search: Search): New => (search['new'] === true ? { new: true } : {});
export const readEditSearch = (search: Search): EditSearch => (search['edit'] === true ? { edit: true } : {});
export const readAuditSearch = (search: Search): AuditSearch => readTexts(search, auditTexts);

export function readKeySearch(search: Search): KeySearch {
  const { status, ...texts } = readTexts(search, ['status', 'agent_id']);
  return definedOf({ ...readNewSearch(search), ...texts, status: oneOf(keyStatuses, status) }) as KeySearch;
}

export function readUserSearch(search: Search): UserSearch {
  const { status, role } = readTexts(search, ['status', 'role']);
  const found = { status: oneOf(userStatuses, status), role: oneOf(roles, role) };
  return definedOf({ ...readNewSearch(search), ...found }) as UserSearch;
}
