import { z } from 'zod';
import { defaultTenantId } from '../../principal.ts';
import { exampleId, exampleTime, idOf, requiredText, timestampInput, timestampOutput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { emailInput } from './users.ts';

const maxRows = 1_000_000;
const row = (what: string) => z.int().min(1).max(maxRows).describe(`Maximum number of ${what}.`);

/** Row limits that a tenant can have of its own, by their names in the contract. */
const limitFields = {
  agents: row('agents'),
  api_keys: row('active API keys'),
  webhooks: row('webhooks'),
  integrations: row('inbound integrations, and of outgoing ones'),
  workflows: row('workflow definitions that are not archived'),
  projects: row('projects that are not archived'),
  profiles: row('profiles'),
  permission_policies: row('permission policies'),
  runners: row('online runners'),
  budgets: row('budgets'),
};
export type TenantLimitField = keyof typeof limitFields;

const exampleLimits = { agents: 50, webhooks: 10 };
const limitsText = 'How many it may have. What is not named is as the settings of the installation say.';

const limitsInput = z
  .strictObject(limitFields)
  .partial()
  .meta({ id: 'TenantLimitsInput', description: limitsText, example: exampleLimits });
const limitsPatch = z
  .strictObject(nullableOf(limitFields))
  .partial()
  .meta({ id: 'TenantLimitsPatch', description: `${limitsText} null removes a limit.`, example: exampleLimits });
const shownLimits = z
  .object(limitFields)
  .partial()
  .meta({ id: 'TenantLimits', description: limitsText, example: exampleLimits });

const mostDays = 36_500;

/** Days that rows of a tenant are kept, by their names in the contract. */
const retentionFields = {
  receipt_days: z
    .int()
    .min(1)
    .max(mostDays)
    .describe('Days that receipts of webhooks are kept after they came. Repeats of older ones count as new.'),
  audit_days: z.int().min(30).max(mostDays).describe('Days that entries of the audit log are kept.'),
};
export type TenantRetentionField = keyof typeof retentionFields;

const exampleRetention = { audit_days: 730 };
const retentionText = 'How long its rows are kept. What is not named is as the settings of the installation say.';

const retentionInput = z
  .strictObject(retentionFields)
  .partial()
  .meta({ id: 'TenantRetentionInput', description: retentionText, example: exampleRetention });
const retentionPatch = z
  .strictObject(nullableOf(retentionFields))
  .partial()
  .meta({
    id: 'TenantRetentionPatch',
    description: `${retentionText} null removes a value.`,
    example: exampleRetention,
  });
const shownRetention = z
  .object(retentionFields)
  .partial()
  .meta({ id: 'TenantRetention', description: retentionText, example: exampleRetention });

function nullableOf<F extends Record<string, z.ZodInt>>(fields: F) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, schema.nullable()]);
  return Object.fromEntries(entries) as { [N in keyof F]: z.ZodNullable<F[N]> };
}

const slugText = 'Short name of the tenant, unique in the installation. It cannot be changed.';
const name = requiredText(200).describe('A name for people.');
const planText = 'What you bill, as a word of yours. It has no effect. null: none.';
const plan = requiredText(64).describe(planText);
const rateText =
  'Requests a minute of all callers of the tenant together, spread evenly. null: as the setting TENANT_RATE_LIMIT says.';
const rateLimit = z.int().min(1).max(1_000_000_000).describe(rateText);
const reasonText = 'Why. Its callers read it in the message of their errors.';
const reason = requiredText(500).describe(reasonText);

const exampleFields = {
  slug: 'acme',
  name: 'Acme',
  plan: 'team',
  rate_limit: 20_000,
  limits: exampleLimits,
  retention: exampleRetention,
};

export const createTenantBody = z
  .object({
    slug: z
      .string()
      .max(63)
      .regex(/^[a-z][a-z0-9-]*$/)
      .describe(slugText),
    name: name.optional().describe('A name for people. Default: the slug.'),
    plan: plan.nullable().optional(),
    rate_limit: rateLimit.nullable().optional(),
    limits: limitsInput.optional(),
    retention: retentionInput.optional(),
    admin_email: emailInput
      .optional()
      .describe(
        'Address of its first administrator. The response has a one-time link with which the person sets a password. No e-mail is sent.',
      ),
  })
  .meta({
    id: 'CreateTenant',
    description: 'A new tenant.',
    example: { slug: 'acme', name: 'Acme', plan: 'team', admin_email: 'ada@example.com' },
  });
export type CreateTenantBody = z.output<typeof createTenantBody>;

export const changeTenantBody = z
  .object({
    name: name.optional(),
    plan: plan.nullable().optional(),
    rate_limit: rateLimit.nullable().optional(),
    limits: limitsPatch.optional(),
    retention: retentionPatch.optional(),
  })
  .meta({
    id: 'ChangeTenant',
    description: 'A JSON merge patch of a tenant. Fields that you leave out stay as they are.',
    example: { plan: 'enterprise', rate_limit: 60_000 },
  });
export type ChangeTenantBody = z.output<typeof changeTenantBody>;

export const suspendTenantBody = z.object({ reason }).meta({
  id: 'SuspendTenant',
  description: 'Why a tenant is suspended.',
  example: { reason: 'The invoice of October is open.' },
});

export const tenantStatuses = ['active', 'suspended', 'deleting'] as const;
export type TenantStatus = (typeof tenantStatuses)[number];

const exampleTenant = {
  id: exampleId('tnt'),
  ...exampleFields,
  status: 'active',
  suspended_at: null,
  suspended_reason: null,
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const tenantResource = z
  .object({
    id: idOf(`ID of the tenant. That of the operator is \`${defaultTenantId}\`.`),
    slug: z.string().max(63).describe(slugText),
    name: z.string().max(200).describe('A name for people.'),
    plan: z.string().max(64).nullable().describe(planText),
    rate_limit: rateLimit.nullable(),
    limits: shownLimits,
    retention: shownRetention,
    status: z
      .enum(tenantStatuses)
      .describe(
        'active; suspended: its callers get 403 and nothing is sent for it; deleting: its rows are being removed, after which it does not exist. New values can be added.',
      ),
    suspended_at: timestampOutput.nullable().describe('Since when it is suspended. null: it is not.'),
    suspended_reason: z.string().max(500).nullable().describe(reasonText),
    created_at: timestampOutput.describe('When the tenant was created.'),
    updated_at: timestampOutput.describe('When the tenant was last changed.'),
  })
  .meta({ id: 'Tenant', description: 'A team with data of its own in the installation.', example: exampleTenant });
export type TenantResource = z.infer<typeof tenantResource>;

export const createdTenant = tenantResource
  .extend({
    admin_link: z
      .string()
      .max(2_048)
      .optional()
      .describe(
        'One-time link with which the first administrator sets a password. Valid for 24 hours; shown only in this response.',
      ),
  })
  .meta({
    id: 'CreatedTenant',
    base: 'Tenant',
    description: 'The new tenant.',
    example: { ...exampleTenant, admin_link: 'https://agents.example.com/admin/welcome?token=3kT9' },
  });

export const tenantReadOnly = ['id', 'status', 'suspended_at', 'suspended_reason', 'created_at', 'updated_at'];

const text = z.string().max(500);

export const tenantListQuery = listQuery({
  sortable: ['created_at', 'id', 'slug', 'name', 'plan', 'status', 'updated_at'],
  filters: {
    id: text,
    slug: text,
    name: text,
    plan: text,
    status: z.enum(tenantStatuses),
    created_at: timestampInput,
    updated_at: timestampInput,
  },
});

export const tenantList = listResponse(tenantResource);
