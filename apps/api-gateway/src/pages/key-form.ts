import { mintKeyBody, scopes, tiers } from '@eas/contracts';
import { z } from 'zod';
import { readAs } from './form.ts';
import { typed } from './page.ts';
import type { ChoiceField, Field } from './views.ts';

export const scopesField: ChoiceField = {
  name: 'scopes',
  label: 'Scopes',
  hint: 'You can grant only scopes that you have.',
  type: 'checkbox',
  options: Object.fromEntries(scopes.map((scope) => [scope, scope])),
};
export const tierField: ChoiceField = {
  name: 'tier',
  label: 'Tier',
  hint: 'Requests per minute, unless a rate limit is set below.',
  type: 'radio',
  options: { basic: 'basic (60)', standard: 'standard (300)', enterprise: 'enterprise (1,000)' },
};
export const rateLimitField: Field = {
  name: 'rate_limit',
  label: 'Rate limit',
  hint: 'Requests per minute. Replaces the limit of the tier.',
  type: 'text',
  isOptional: true,
};

export const keyFields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'What the key is for, to recognise it later.', type: 'text' },
  scopesField,
  tierField,
  rateLimitField,
  {
    name: 'expires_at',
    label: 'Expiry date',
    hint: 'The key stops working at the start of this day (UTC). Leave empty for a key that does not expire.',
    type: 'date',
    isOptional: true,
  },
  {
    name: 'agent_id',
    label: 'Agent',
    hint: 'Id of the agent that this key acts as.',
    type: 'text',
    isOptional: true,
  },
];

export const keyForm = z.object({
  name: typed().default(''),
  scopes: z.array(typed(64)).max(100).default([]),
  tier: typed(64).default(tiers[1]),
  rate_limit: typed(64).optional(),
  expires_at: typed(64).optional(),
  agent_id: typed(64).optional(),
});

const read = readAs(mintKeyBody);

/** What the form says, as the body of the API's call. Throws invalid_input. */
export const keyBodyOf = (values: z.output<typeof keyForm>) =>
  read({ ...values, rate_limit: numberOf(values.rate_limit) });

/** The number that was typed; anything else stays as it is, for the schema to refuse. */
export const numberOf = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text;
