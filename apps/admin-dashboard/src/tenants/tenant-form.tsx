import type { ReactNode } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { textIn } from '../resources/edit/text-in.ts';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { type Tenant, tenantQuery } from './tenant-queries.ts';

/** Row limits by their names in the contract. */
export const limitLabels = {
  agents: 'Agents',
  api_keys: 'API keys',
  webhooks: 'Webhooks',
  integrations: 'Integrations',
  workflows: 'Workflows',
  projects: 'Projects',
  profiles: 'Profiles',
  permission_policies: 'Permission policies',
  runners: 'Online runners',
  budgets: 'Budgets',
} satisfies Record<keyof Schemas['TenantLimits'], string>;
type Limit = keyof typeof limitLabels;
const limitNames = Object.keys(limitLabels) as Limit[];

/** How long rows are kept, by names in the contract. */
export const retentionLabels = {
  receipt_days: 'Days of receipts',
  audit_days: 'Days of the audit log',
} satisfies Record<keyof Schemas['TenantRetention'], string>;
const retentionNames = Object.keys(retentionLabels) as (keyof typeof retentionLabels)[];

const numberLabels = {
  ...prefixed('limits', limitLabels),
  ...prefixed('retention', retentionLabels),
};
const labels = { name: 'Name', plan: 'Plan', rate_limit: 'Requests a minute', ...numberLabels };

function prefixed<P extends string, N extends string, V>(prefix: P, values: Record<N, V>) {
  const entries = Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]);
  return Object.fromEntries(entries) as Record<`${P}.${N}`, V>;
}
type TenantTexts = Record<keyof typeof labels, string>;

type CreateProps = { onClose: () => void; onMade: (tenant: Schemas['CreatedTenant']) => void };

export function CreateTenant({ onClose, onMade }: CreateProps) {
  return (
    <CreateForm
      title="Create a tenant"
      verb="Create"
      start={{ ...textsOf(), slug: '', admin_email: '' }}
      resource="tenants"
      draft="new-tenant"
      onClose={onClose}
      bodyOf={newBodyOf}
      post={(body, header) => read(api.POST('/admin/api/tenants', { body, params: { header } }))}
      done="Tenant created"
      onDone={onMade}
    >
      {(texts, errors) => (
        <TenantFields {...{ texts, errors }} nameHint="Empty: the slug.">
          <TextField
            label="Slug"
            name="slug"
            defaultValue={texts.slug}
            error={errorOf(errors, 'slug')}
            hint="Lowercase letters, digits and -. It cannot be changed."
            maxLength={63}
            required
          />
          <TextField
            label="E-mail of the first administrator"
            name="admin_email"
            type="email"
            defaultValue={texts.admin_email}
            error={errorOf(errors, 'admin_email') ?? errorOf(errors, 'email')}
            hint="You get a link to pass on, with which the person sets a password. Empty: none yet."
          />
        </TenantFields>
      )}
    </CreateForm>
  );
}

export function EditTenant({ opened, onClose }: { opened: Versioned<Tenant>; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the tenant"
      resource="tenants"
      opened={opened}
      query={tenantQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { tenant_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/admin/api/tenants/{tenant_id}', { params, body: changeOf(form) }));
      }}
      done="Tenant changed"
      onClose={onClose}
    >
      {(tenant, errors) => <TenantFields texts={textsOf(tenant)} errors={errors} />}
    </EditForm>
  );
}

type FieldsProps = { texts: TenantTexts; errors: Texts; nameHint?: string; children?: ReactNode };

function TenantFields({ texts, errors, nameHint, children }: FieldsProps) {
  const of = (name: keyof TenantTexts) => ({
    name,
    label: labels[name],
    defaultValue: texts[name],
    error: errorOf(errors, name),
  });
  return (
    <>
      {children}
      <TextField
        {...of('name')}
        maxLength={200}
        required={nameHint === undefined}
        {...(nameHint ? { hint: nameHint } : {})}
      />
      <TextField {...of('plan')} maxLength={64} hint="What you bill, as a word of yours. It has no effect." />
      <TextField {...of('rate_limit')} type="number" min={1} hint="Of all its callers. Empty: as the settings say." />
      <fieldset>
        <legend>How many it may have. Empty: as the settings say.</legend>
        {limitNames.map((limit) => (
          <TextField key={limit} {...of(`limits.${limit}`)} type="number" min={1} />
        ))}
      </fieldset>
      <fieldset>
        <legend>How long its rows are kept. Empty: as the settings say.</legend>
        <TextField {...of('retention.receipt_days')} type="number" min={1} />
        <TextField {...of('retention.audit_days')} type="number" min={30} />
      </fieldset>
    </>
  );
}

function textsOf(tenant?: Tenant): TenantTexts {
  const limits = textsOfNumbers(limitNames, tenant?.limits);
  const retention = textsOfNumbers(retentionNames, tenant?.retention);
  return {
    name: tenant?.name ?? '',
    plan: tenant?.plan ?? '',
    rate_limit: String(tenant?.rate_limit ?? ''),
    ...prefixed('limits', limits),
    ...prefixed('retention', retention),
  };
}

function textsOfNumbers<N extends string>(names: readonly N[], values: Partial<Record<N, number>> = {}) {
  return Object.fromEntries(names.map((name) => [name, String(values[name] ?? '')])) as Record<N, string>;
}

function numberIn(form: FormData, name: string): number | null {
  const text = textIn(form, name);
  return text === '' ? null : Number(text);
}

/** Of both bodies; null: as the settings say. */
function changeOf(form: FormData) {
  return {
    name: textIn(form, 'name'),
    plan: textIn(form, 'plan') || null,
    rate_limit: numberIn(form, 'rate_limit'),
    limits: numbersIn(form, 'limits', limitNames),
    retention: numbersIn(form, 'retention', retentionNames),
  };
}

const numbersIn = (form: FormData, prefix: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, numberIn(form, `${prefix}.${name}`)]));

const given = (numbers: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== null));

function newBodyOf(form: FormData): Schemas['CreateTenant'] {
  const { name, limits, retention, ...rest } = changeOf(form);
  const email = textIn(form, 'admin_email');
  return {
    ...rest,
    slug: textIn(form, 'slug'),
    limits: given(limits),
    retention: given(retention),
    ...(name === '' ? {} : { name }),
    ...(email === '' ? {} : { admin_email: email }),
  };
}
