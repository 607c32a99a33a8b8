import type { Scope, UserResource } from '@eas/contracts';
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
    scopes: user.scopes,
    status: user.status,
    created_by: user.createdBy,
    created_at: formatTimestamp(user.createdAt),
    updated_at: formatTimestamp(user.updatedAt),
    last_signed_in_at: formatOptional(user.lastSignedInAt),
  };
}

/** Whether a person can sign in and manage access. Who was only invited may never come. */
export const isActiveAdmin = ({ status, scopes }: Pick<User, 'status' | 'scopes'>): boolean =>
  status === 'active' && scopes.includes('admin');

export const lastAdmin = () =>
  new AppError('conflict', {
    field: 'scopes',
    constraint: 'state',
    message: 'The last user with the scope admin cannot be removed or lose the scope. Give it to another user first.',
  });
