import { z } from 'zod';
import { scopes } from '../../principal.ts';
import { numberInput, rateLimit, scopeList, tier } from './keys.ts';
import { idOutput, requiredText, timestampInput, timestampOutput } from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const name = requiredText(200).meta({ description: 'What people read when it asks for access.', example: 'Web shop' });

/** Where codes may be sent. Which addresses are allowed depends on the kind of client; the use case tells. */
export const redirectUriList = z
  .array(z.string().min(1).max(2_048).meta({ format: 'uri', example: 'https://shop.example.com/callback' }))
  .min(1)
  .max(20)
  .transform((given) => [...new Set(given)])
  .meta({ description: 'Compared exactly: https, http on loopback, or a private scheme (public clients).' });

/** Body of POST /admin/api/clients. */
export const createClientBody = z.object({
  name,
  redirect_uris: redirectUriList,
  scopes: scopeList.meta({ description: 'The most that the client may be granted.' }),
  tier: tier.default('standard'),
  rate_limit: rateLimit.nullable().default(null),
  is_public: z
    .boolean()
    .default(false)
    .meta({ description: 'Has no secret and must use PKCE: apps and browser code.' }),
});
export type CreateClientBody = z.output<typeof createClientBody>;

/** Body of PATCH /admin/api/clients/{client_id}; a rate_limit of null clears it. */
export const changeClientBody = z.object({
  name: name.optional(),
  redirect_uris: redirectUriList.optional(),
  scopes: scopeList.optional(),
  tier: tier.optional(),
  rate_limit: rateLimit.nullable().optional(),
});
export type ChangeClientBody = z.output<typeof changeClientBody>;

export const clientResource = z.object({
  id: z.string().min(1).max(128).meta({ description: 'The client_id.', example: 'cli_01ks0000000000000000000000' }),
  name: z.string().max(200),
  redirect_uris: z.array(z.string().max(2_048)).max(20),
  scopes: z.array(z.enum(scopes)).max(scopes.length),
  tier,
  rate_limit: rateLimit.nullable(),
  is_public: z.boolean(),
  created_by: idOutput,
  created_at: timestampOutput,
  updated_at: timestampOutput,
});
export type ClientResource = z.infer<typeof clientResource>;

/** What the making of a client and the rotation of its secret answer: with the secret, this once. */
export const shownClient = clientResource.extend({
  client_secret: z.string().max(256).optional().meta({ description: 'Never shown again. Public clients have none.' }),
});
export type ShownClient = z.infer<typeof shownClient>;

/** Fields of a client that nobody sets: accepted and ignored in bodies. */
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
