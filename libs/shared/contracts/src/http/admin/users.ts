import { z } from 'zod';
import { roleMeanings, userRoles } from '../../principal.ts';
import { scopeList, shownScopes } from './keys.ts';
import { exampleId, exampleTime, idOf, requiredText, timestampInput, timestampOutput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

/** Minimum and maximum length of a password, in characters. */
export const passwordLength = { min: 12, max: 256 } as const;

const exampleEmail = 'ada@example.com';

export const emailInput = z.string().max(254).toLowerCase().pipe(z.email()).meta({
  type: 'string',
  format: 'email',
  maxLength: 254,
  description: 'E-mail address. Upper and lower case are the same.',
  example: exampleEmail,
});

export const newPassword = z
  .string()
  .min(passwordLength.min)
  .max(passwordLength.max)
  .describe('The password to sign in with.');

const userRole = z.enum(userRoles).meta({
  id: 'UserRole',
  description: 'A name for a set of scopes. New values can be added.',
  'x-enumDescriptions': roleMeanings,
});
const givenRole = userRole
  .nullable()
  .optional()
  .describe(
    'The role that the person gets. It sets `scopes`: send one of the two, or scopes that are those of the role.',
  );

const nameText = 'Name of the person.';
const name = requiredText(200).describe(nameText);
const exampleFields = { email: exampleEmail, name: 'Ada Lovelace', scopes: ['tasks:read', 'tasks:write'] };

export const createUserBody = z
  .object({
    email: emailInput,
    name,
    role: givenRole,
    scopes: scopeList.optional(),
    password: newPassword
      .optional()
      .describe('The password. If you leave it out, the response has a link with which the person sets one.'),
  })
  .meta({ id: 'CreateUser', description: 'A new user.', example: exampleFields });
export type CreateUserBody = z.output<typeof createUserBody>;

export const changeUserBody = z
  .object({
    email: emailInput.optional(),
    name: name.optional(),
    role: givenRole,
    scopes: scopeList.optional(),
    password: newPassword.optional(),
  })
  .meta({
    id: 'ChangeUser',
    description: 'A JSON merge patch of a user. Fields that you leave out stay as they are.',
    example: { name: 'Ada King', scopes: ['tasks:read'] },
  });
export type ChangeUserBody = z.output<typeof changeUserBody>;

export const userStatuses = ['active', 'invited'] as const;

const exampleUser = {
  id: exampleId('usr'),
  ...exampleFields,
  role: null,
  status: 'active',
  created_by: exampleId('usr'),
  created_at: exampleTime,
  updated_at: exampleTime,
  last_signed_in_at: '2026-11-20T12:00:00Z',
};

export const userResource = z
  .object({
    id: idOf('ID of the user.'),
    email: z.string().max(254).describe('E-mail address.'),
    name: z.string().max(200).describe(nameText),
    role: userRole.nullable().describe('The role that has exactly these scopes. null: none has.'),
    scopes: shownScopes,
    status: z.enum(userStatuses).describe('invited: the person has not set a password yet.'),
    created_by: idOf('ID of the person or credential that created the user.'),
    created_at: timestampOutput.describe('When the user was created.'),
    updated_at: timestampOutput.describe('When the user was last changed.'),
    last_signed_in_at: timestampOutput.nullable().describe('When the user last signed in. null: never.'),
  })
  .meta({ id: 'User', description: 'A person who can sign in.', example: exampleUser });
export type UserResource = z.infer<typeof userResource>;

export const createdUser = userResource
  .extend({
    link: z
      .string()
      .max(2_048)
      .optional()
      .describe('One-time link that sets the password. Valid for 24 hours; shown only in this response.'),
  })
  .meta({
    id: 'CreatedUser',
    base: 'User',
    description: 'The new user.',
    example: {
      ...exampleUser,
      status: 'invited',
      last_signed_in_at: null,
      link: 'https://agents.example.com/admin/welcome?token=3kT9',
    },
  });

export const userLink = z
  .object({
    link: z
      .string()
      .max(2_048)
      .describe('One-time link that sets the password. Valid for 24 hours; shown only in this response.'),
  })
  .meta({
    id: 'UserLink',
    description: 'A link to pass on.',
    example: { link: 'https://agents.example.com/admin/welcome?token=3kT9' },
  });

export const userReadOnly = ['id', 'status', 'created_by', 'created_at', 'updated_at', 'last_signed_in_at'];

const text = z.string().max(500);

export const userListQuery = listQuery({
  sortable: ['created_at', 'id', 'email', 'name', 'role', 'status', 'created_by', 'updated_at', 'last_signed_in_at'],
  filters: {
    id: text,
    email: text.toLowerCase(),
    name: text,
    role: z.enum(userRoles),
    status: z.enum(userStatuses),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
    last_signed_in_at: timestampInput,
  },
});

export const userList = listResponse(userResource);

const givenPassword = z.string().min(1).max(passwordLength.max);

export const signInBody = z.object({ email: emailInput, password: givenPassword.describe('The password.') }).meta({
  id: 'SignIn',
  description: 'Credentials of a person.',
  example: { email: exampleEmail, password: 'correct horse battery staple' },
});

export const changePasswordBody = z
  .object({
    current_password: givenPassword.describe('The password that the person has now.'),
    new_password: newPassword,
  })
  .meta({
    id: 'ChangePassword',
    description: 'Your current password and the new one.',
    example: { current_password: 'correct horse battery staple', new_password: 'a few words in a row' },
  });

export const sessionResource = z
  .object({
    user: userResource,
    csrf_token: z.string().max(64).describe('Send it as the header `X-CSRF-Token` with every request other than GET.'),
    expires_at: timestampOutput.describe('When the session ends. It ends earlier after 12 hours without a request.'),
    is_operator: z
      .boolean()
      .describe(
        'Whether the person belongs to the operator of the installation, who alone sees what all tenants share.',
      ),
  })
  .meta({
    id: 'Session',
    description: 'A person who is signed in.',
    example: { user: exampleUser, csrf_token: 'b7Qm2', expires_at: '2026-11-27T10:00:00Z', is_operator: true },
  });
