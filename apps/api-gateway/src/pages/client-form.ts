import { createClientBody } from '@eas/contracts';
import { z } from 'zod';
import { readAs } from './form.ts';
import { numberOf, rateLimitField, scopesField, tierField } from './key-form.ts';
import { typed } from './page.ts';
import type { Field } from './views.ts';

export const clientFields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'Shown to people when the application asks for access.', type: 'text' },
  { name: 'redirect_uris', label: 'Redirect addresses', hint: 'One per line. Each must match exactly.', type: 'lines' },
  {
    name: 'kind',
    label: 'Kind',
    hint: 'An installed app or code in a browser cannot keep a secret. Such a client must use PKCE.',
    type: 'radio',
    options: { confidential: 'has a secret', public: 'public, without a secret' },
  },
  { ...scopesField, hint: 'The scopes that this client can be granted. You can grant only scopes that you have.' },
  tierField,
  rateLimitField,
];
export const clientForm = z.object({
  name: typed().default(''),
  redirect_uris: typed(45_000).default(''),
  kind: z.enum(['confidential', 'public']).default('confidential'),
  scopes: z.array(typed(64)).max(100).default([]),
  tier: typed(64).default('standard'),
  rate_limit: typed(64).optional(),
});
const read = readAs(createClientBody);

/** What the form says, as the body of the API's call. Throws invalid_input. */
export const clientBodyOf = ({
  redirect_uris: lines,
  kind,
  rate_limit: rateLimit,
  ...values
}: z.output<typeof clientForm>) =>
  read({
    ...values,
    redirect_uris: lines.split('\n').flatMap((line) => line.trim() || []),
    is_public: kind === 'public',
    rate_limit: numberOf(rateLimit),
  });
