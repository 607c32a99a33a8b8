import { z } from 'zod';
import { type Scope, scopeMeanings, scopes, tiers } from '../../principal.ts';
import {
  exampleId,
  exampleTime,
  idOf,
  requiredText,
  timestampInput,
  timestampInputOrNull,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const maxRateLimit = 1_000_000_000;

const scope = z.enum(scopes).meta({
  id: 'Scope',
  description: 'A permission. New values can be added.',
  'x-enumDescriptions': scopeMeanings,
});

export const scopeList = z
  .array(scope)
  .min(1)
  .max(scopes.length)
  .transform((given): Scope[] => [...new Set(given)])
  .describe('What the holder may do. You can grant only scopes that you have.');

export const shownScopes = z.array(scope).max(scopes.length).describe('What the holder may do.');

const nameText = 'A name for people.';
const name = requiredText(200).describe(nameText);
export const tier = z
  .enum(tiers)
  .meta({ id: 'Tier', description: 'Requests a minute: basic 60, standard 300, enterprise 1000.' });
export const rateLimit = z
  .int()
  .min(1)
  .max(maxRateLimit)
  .describe(
    'Requests a minute, instead of the number of the tier. For basic and standard at most that number; never more than the limit of the caller.',
  );
const expiresText = 'When the key expires: a time in the future. null: never.';
const expiresAt = timestampInputOrNull.describe(expiresText);
const agentText = 'The agent that the key acts as. null: none.';

const exampleFields = { name: 'CI of the web shop', tier: 'standard', rate_limit: null, expires_at: null };

export const mintAgentKeyBody = z
  .object({
    name,
    tier: tier.default('standard'),
    rate_limit: rateLimit.nullable().default(null),
    expires_at: expiresAt.default(null),
  })
  .meta({ id: 'CreateAgentKey', description: 'A new API key for an agent.', example: { name: 'Ada on build-1' } });
export type MintAgentKeyBody = z.output<typeof mintAgentKeyBody>;

export const mintKeyBody = mintAgentKeyBody
  .extend({
    scopes: scopeList,
    agent_id: idOf(agentText).nullable().default(null),
  })
  .meta({
    id: 'CreateApiKey',
    description: 'A new API key.',
    example: { name: exampleFields.name, scopes: ['tasks:read', 'tasks:write'], tier: 'standard' },
  });
export type MintKeyBody = z.output<typeof mintKeyBody>;

export const changeKeyBody = z
  .object({
    name: name.optional(),
    scopes: scopeList.optional(),
    tier: tier.optional(),
    rate_limit: rateLimit.nullable().optional(),
    expires_at: expiresAt.optional(),
  })
  .meta({
    id: 'ChangeApiKey',
    description: 'A JSON merge patch of an API key. Fields that you leave out stay as they are.',
    example: { scopes: ['tasks:read'], expires_at: '2027-01-01T00:00:00Z' },
  });
export type ChangeKeyBody = z.output<typeof changeKeyBody>;

const maxOverlapSeconds = 604_800;

export const rotateKeyBody = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .default(0)
      .describe('Number of seconds for which the previous key stays valid. Older ones do not.'),
  })
  .meta({
    id: 'RotateApiKey',
    description: 'How long the previous key stays valid.',
    example: { overlap_seconds: 3_600 },
  });

export const keyStatuses = ['active', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

const exampleKey = {
  id: exampleId('key'),
  ...exampleFields,
  prefix: 'eas_live_4fGh',
  last_four: 'x9Qa',
  scopes: ['tasks:read', 'tasks:write'],
  agent_id: null,
  status: 'active',
  created_by: exampleId('usr'),
  created_at: exampleTime,
  updated_at: exampleTime,
  last_used_at: null,
};

export const keyResource = z
  .object({
    id: idOf('ID of the key.'),
    name: z.string().max(200).describe(nameText),
    prefix: z.string().max(16).meta({ description: 'The first characters of the key.', example: exampleKey.prefix }),
    last_four: z.string().max(4).meta({ description: 'The last characters of the key.', example: 'x9Qa' }),
    scopes: shownScopes,
    tier,
    rate_limit: rateLimit.nullable(),
    agent_id: idOf(agentText).nullable(),
    status: z.enum(keyStatuses).describe('Whether the key is accepted. Only active keys are.'),
    created_by: idOf('ID of the person or credential that created the key.'),
    created_at: timestampOutput.describe('When the key was created.'),
    updated_at: timestampOutput.describe('When the key was last changed.'),
    expires_at: timestampOutput.nullable().describe(expiresText),
    last_used_at: timestampOutput.nullable().describe('When the key was last used. null: never.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its text.', example: exampleKey });
export type KeyResource = z.infer<typeof keyResource>;

/** Response of creating and rotating a key: the only ones with its text. */
export const shownKey = keyResource
  .extend({ key: z.string().max(128).describe('The key itself. It is shown only in this response: store it.') })
  .meta({
    id: 'ApiKeyWithSecret',
    base: 'ApiKey',
    description: 'An API key with its text.',
    example: { ...exampleKey, key: 'eas_live_4fGhJk2mNpQrStUvWxYz3456789AbCdEfG0x9Qa' },
  });
export type ShownKey = z.infer<typeof shownKey>;

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
    'created_at',
    'id',
    'name',
    'prefix',
    'last_four',
    'tier',
    'rate_limit',
    'agent_id',
    'status',
    'created_by',
    'updated_at',
    'expires_at',
    'last_used_at',
  ],
  filters: {
    id: text,
    name: text,
    prefix: text,
    last_four: text,
    tier,
    rate_limit: numberInput,
    agent_id: text,
    status: z.enum(keyStatuses),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
    expires_at: timestampInput,
    last_used_at: timestampInput,
  },
});

export const keyList = listResponse(keyResource);
