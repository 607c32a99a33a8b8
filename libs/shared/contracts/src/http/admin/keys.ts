import { z } from 'zod';
import { type Scope, scopes, tiers } from '../../principal.ts';
import {
  idOutput,
  requiredText,
  timestampInput,
  timestampInputOrNull,
  timestampOutput,
  wholeNumberInput,
} from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const maxRateLimit = 1_000_000_000;

/** What a credential or a person may do: each scope once. */
export const scopeList = z
  .array(z.enum(scopes))
  .min(1)
  .max(scopes.length)
  .transform((given): Scope[] => [...new Set(given)]);

const name = requiredText(200).meta({ example: 'CI of the web shop' });
export const tier = z.enum(tiers).meta({ description: 'Sets the requests a minute: 60, 300, 1000.' });
export const rateLimit = z.int().min(1).max(maxRateLimit).meta({
  description:
    'Requests a minute instead of the number of the tier, which is the maximum for basic and standard. At most what the caller has.',
  example: 120,
});
const expiresAt = timestampInputOrNull.meta({ description: 'From then on the key is refused. It must lie ahead.' });

/** Body of POST /v1/agents/{agent_id}/keys. */
export const mintAgentKeyBody = z.object({
  name,
  tier: tier.default('standard'),
  rate_limit: rateLimit.nullable().default(null),
  expires_at: expiresAt.default(null),
});
export type MintAgentKeyBody = z.output<typeof mintAgentKeyBody>;

/** Body of POST /admin/api/keys. */
export const mintKeyBody = mintAgentKeyBody.extend({
  scopes: scopeList,
  agent_id: idOutput.nullable().default(null).meta({ description: 'The agent that the key acts as.' }),
});
export type MintKeyBody = z.output<typeof mintKeyBody>;

/** Body of PATCH /admin/api/keys/{key_id}; null clears. */
export const changeKeyBody = z.object({
  name: name.optional(),
  scopes: scopeList.optional(),
  tier: tier.optional(),
  rate_limit: rateLimit.nullable().optional(),
  expires_at: expiresAt.optional(),
});
export type ChangeKeyBody = z.output<typeof changeKeyBody>;

const maxOverlapSeconds = 604_800;

/** Body of POST /admin/api/keys/{key_id}/rotate. */
export const rotateKeyBody = z.object({
  overlap_seconds: z
    .int()
    .min(0)
    .max(maxOverlapSeconds)
    .default(0)
    .meta({ description: 'How long the old text works beside the new one.' }),
});

export const keyStatuses = ['active', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

export const keyResource = z.object({
  id: idOutput.meta({ example: 'key_01ks0000000000000000000000' }),
  name: z.string().max(200),
  prefix: z.string().max(16).meta({ description: 'How the text begins.', example: 'eas_live_4fGh' }),
  last_four: z.string().max(4).meta({ description: 'How the text ends.', example: 'x9Qa' }),
  scopes: z.array(z.enum(scopes)).max(scopes.length),
  tier,
  rate_limit: rateLimit.nullable(),
  agent_id: idOutput.nullable(),
  status: z.enum(keyStatuses).meta({ description: 'Whether the key opens anything.' }),
  created_by: idOutput,
  created_at: timestampOutput,
  updated_at: timestampOutput,
  expires_at: timestampOutput.nullable(),
  last_used_at: timestampOutput.nullable(),
});
export type KeyResource = z.infer<typeof keyResource>;

/** What the making and the rotation of a key answer: with its text, this once. */
export const shownKey = keyResource.extend({
  key: z.string().max(128).meta({ description: 'The text of the key. It is never shown again.' }),
});
export type ShownKey = z.infer<typeof shownKey>;

/** Fields of a key that nobody sets: accepted and ignored in bodies. */
export const keyReadOnly = [
  'id',
  'prefix',
  'last_four',
  'status',
  'created_by',
  'created_at',
  'updated_at',
  'last_used_at',
];

const text = z.string().max(500);
export const numberInput = wholeNumberInput(0, maxRateLimit);

export const keyListQuery = listQuery({
  sortable: [
    ...(['created_at', 'id', 'name', 'prefix', 'last_four', 'tier', 'rate_limit', 'agent_id', 'status'] as const),
    ...(['created_by', 'updated_at', 'expires_at', 'last_used_at'] as const),
  ],
  filters: {
    id: text,
    name: text,
    prefix: text,
    last_four: text,
    tier,
    rate_limit: numberInput,
    agent_id: text,
    status: z.enum(keyStatuses).meta({ description: 'Whether the key opens anything.' }),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
    expires_at: timestampInput,
    last_used_at: timestampInput,
  },
});

export const keyList = listResponse(keyResource);
