import { z } from 'zod';
import { scopes } from '../../principal.ts';
import { scopeList } from './keys.ts';
import { idOutput, requiredText, timestampInput, timestampOutput } from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';

/** How long a password must and may be, in characters. */
export const passwordLength = { min: 12, max: 256 } as const;

/** An e-mail address; upper and lower case are one. */
export const emailInput = z.string().max(254).toLowerCase().pipe(z.email()).meta({
  type: 'string',
  format: 'email',
  maxLength: 254,
  example: 'ada@example.com',
});

/** A password that somebody sets. */
export const newPassword = z.string().min(passwordLength.min).max(passwordLength.max);

const name = requiredText(200).meta({ example: 'Ada Lovelace' });

/** Body of POST /admin/api/users. */
export const createUserBody = z.object({
  email: emailInput,
  name,
  scopes: scopeList,
  password: newPassword.optional().meta({ description: 'Left out: the answer has a link that sets it.' }),
});
export type CreateUserBody = z.output<typeof createUserBody>;

/** Body of PATCH /admin/api/users/{user_id}. */
export const changeUserBody = z.object({
  email: emailInput.optional(),
  name: name.optional(),
  scopes: scopeList.optional(),
  password: newPassword.optional(),
});
export type ChangeUserBody = z.output<typeof changeUserBody>;

export const userStatuses = ['active', 'invited'] as const;

export const userResource = z.object({
  id: idOutput.meta({ example: 'usr_01ks0000000000000000000000' }),
  email: z.string().max(254),
  name: z.string().max(200),
  scopes: z.array(z.enum(scopes)).max(scopes.length),
  status: z.enum(userStatuses).meta({ description: 'invited: no password has been set yet.' }),
  created_by: idOutput,
  created_at: timestampOutput,
  updated_at: timestampOutput,
  last_signed_in_at: timestampOutput.nullable(),
});
export type UserResource = z.infer<typeof userResource>;

/** What POST /admin/api/users answers. */
export const createdUser = userResource.extend({
  link: z.string().max(2_048).optional().meta({
    description: 'Sets the password, once, within 24 hours. Shown this once.',
  }),
});

/** Fields of a user that nobody sets: accepted and ignored in bodies. */
export const userReadOnly = ['id', 'status', 'created_by', 'created_at', 'updated_at', 'last_signed_in_at'];

const text = z.string().max(500);

export const userListQuery = listQuery({
  sortable: ['created_at', 'id', 'email', 'name', 'status', 'created_by', 'updated_at', 'last_signed_in_at'],
  filters: {
    id: text,
    email: text.toLowerCase(),
    name: text,
    status: z.enum(userStatuses),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
    last_signed_in_at: timestampInput,
  },
});

export const userList = listResponse(userResource);

/** Body of POST /admin/api/session. */
export const signInBody = z.object({ email: emailInput, password: z.string().min(1).max(passwordLength.max) });

/** A session as its owner sees it. */
export const sessionResource = z.object({
  user: userResource,
  csrf_token: z.string().max(64).meta({ description: 'Goes into the header X-CSRF-Token of every call but GET.' }),
  expires_at: timestampOutput.meta({ description: 'Earlier after twelve hours without a call.' }),
});
