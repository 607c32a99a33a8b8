import { z } from 'zod';
import { numberInput, rateLimit, scopeList, shownScopes, tier } from './keys.ts';
import { exampleId, exampleTime, idOf, requiredText, timestampInput, timestampOutput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const nameText = 'Name of the application. People see it when it asks for access.';
const name = requiredText(200).describe(nameText);
const exampleUri = 'https://shop.example.com/callback';
const urisText =
  'Addresses to which authorization codes can be sent. They are compared exactly: https, http on loopback, or a private scheme (public clients only).';
const scopesText = 'The scopes that the client can be granted at most.';
const publicText = 'A public client has no secret and must use PKCE: mobile, desktop and browser applications.';

/** Redirect addresses. Which ones are allowed depends on the kind of client; the use case checks it. */
const redirectUriList = z
  .array(z.string().min(1).max(2_048).meta({ format: 'uri', example: exampleUri }))
  .min(1)
  .max(20)
  .transform((given) => [...new Set(given)])
  .describe(urisText);

export const createClientBody = z
  .object({
    name,
    redirect_uris: redirectUriList,
    scopes: scopeList.describe(scopesText),
    tier: tier.default('standard'),
    rate_limit: rateLimit.nullable().default(null),
    is_public: z.boolean().default(false).describe(publicText),
  })
  .meta({
    id: 'CreateOauthClient',
    description: 'A new OAuth client.',
    example: { name: 'Web shop', redirect_uris: [exampleUri], scopes: ['tasks:read'] },
  });
export type CreateClientBody = z.output<typeof createClientBody>;

/** Body of PATCH /admin/api/clients/{client_id}; a rate_limit of null clears it. */
export const changeClientBody = z
  .object({
    name: name.optional(),
    redirect_uris: redirectUriList.optional(),
    scopes: scopeList.optional().describe(scopesText),
    tier: tier.optional(),
    rate_limit: rateLimit.nullable().optional(),
  })
  .meta({
    id: 'ChangeOauthClient',
    description: 'A JSON merge patch of an OAuth client. Fields that you leave out stay as they are.',
    example: { name: 'Web shop 2', scopes: ['tasks:read', 'agents:read'] },
  });
export type ChangeClientBody = z.output<typeof changeClientBody>;

const exampleClient = {
  id: exampleId('cli'),
  name: 'Web shop',
  redirect_uris: [exampleUri],
  scopes: ['tasks:read'],
  tier: 'standard',
  rate_limit: null,
  is_public: false,
  created_by: exampleId('usr'),
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const clientResource = z
  .object({
    id: z.string().min(1).max(128).meta({ description: 'The client_id.', example: exampleClient.id }),
    name: z.string().max(200).describe(nameText),
    redirect_uris: z.array(z.string().max(2_048)).max(20).describe(urisText),
    scopes: shownScopes.describe(scopesText),
    tier,
    rate_limit: rateLimit.nullable(),
    is_public: z.boolean().describe(publicText),
    created_by: idOf('ID of the person or credential that created the client.'),
    created_at: timestampOutput.describe('When the client was created.'),
    updated_at: timestampOutput.describe('When the client was last changed.'),
  })
  .meta({
    id: 'OauthClient',
    description: 'An application that can ask people for access.',
    example: exampleClient,
  });
export type ClientResource = z.infer<typeof clientResource>;

/** Response of creating a client and of rotating its secret: the only ones with the secret. */
export const shownClient = clientResource
  .extend({
    client_secret: z
      .string()
      .max(256)
      .optional()
      .describe('The secret. It is shown only in this response: store it. Public clients have none.'),
  })
  .meta({
    id: 'OauthClientWithSecret',
    base: 'OauthClient',
    description: 'An OAuth client with its secret.',
    example: { ...exampleClient, client_secret: 'q3v8N1xZ0pLr7TfYkHsWd5BmJcGa2Eu4' },
  });
export type ShownClient = z.infer<typeof shownClient>;

export const clientReadOnly = ['id', 'created_by', 'created_at', 'updated_at'];

const text = z.string().max(500);

export const clientListQuery = listQuery({
  sortable: ['created_at', 'id', 'name', 'tier', 'rate_limit', 'is_public', 'created_by', 'updated_at'],
  filters: {
    id: text,
    name: text,
    tier,
    rate_limit: numberInput,
    is_public: z.enum(['true', 'false']).transform((value) => value === 'true'),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
  },
});
export type ClientListQuery = z.output<typeof clientListQuery>;

export const clientList = listResponse(clientResource);
