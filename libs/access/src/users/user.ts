import { roleScopes, type Scope, type UserResource, type UserRole, userRoles } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import { formatOptional } from '../rules/timestamps.ts';

export type User = {
  id: string;
  email: string;
  name: string;
  scopes: Scope[];
  status: 'active' | 'invited';
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  lastSignedInAt: Date | null;
  version: number;
};

export function userResource(user: User): UserResource {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: roleOf(user.scopes),
    scopes: user.scopes,
    status: user.status,
    created_by: user.createdBy,
    created_at: formatTimestamp(user.createdAt),
    updated_at: formatTimestamp(user.updatedAt),
    last_signed_in_at: formatOptional(user.lastSignedInAt),
  };
}

/** The role that has exactly these scopes. */
const roleOf = (own: readonly Scope[]): UserRole | null =>
  userRoles.find(
    (role) => roleScopes[role].length === own.length && roleScopes[role].every((one) => own.includes(one)),
  ) ?? null;

type Given = { role?: UserRole | null | undefined; scopes?: readonly Scope[] | undefined };

/** The scopes in a body, by name of a role or one by one. Throws invalid_input if it has both and they differ. */
export function givenScopes({ role, scopes }: Given): Scope[] | undefined {
  if (!role) return scopes && [...scopes];
  if (scopes === undefined || roleOf(scopes) === role) return [...roleScopes[role]];
  const message = 'role must be left out, or scopes must be those of the role.';
  throw new AppError('invalid_input', { field: 'role', constraint: 'enum', message });
}

/** Whether a person can sign in and manage access. An invited person may never sign in. */
export const isActiveAdmin = ({ status, scopes }: Pick<User, 'status' | 'scopes'>): boolean =>
  status === 'active' && scopes.includes('admin');

export const lastAdmin = () =>
  new AppError('conflict', {
    field: 'scopes',
    constraint: 'state',
    message: 'The last user with the scope admin cannot be removed or lose the scope. Give it to another user first.',
  });
