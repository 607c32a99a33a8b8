import { useState } from 'react';
import { api, read, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { AskButton } from '../resources/ask.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { textIn } from '../resources/edit/text-in.ts';
import { errorOf } from '../resources/edit/versions.ts';
import { EditTenant } from './tenant-form.tsx';
import { type Tenant, tenantQuery } from './tenant-queries.ts';

type Opened = { opened: Versioned<Tenant> };

/** The actions on a tenant in its present status. The operator's own cannot be suspended or deleted. */
export function TenantActions({ opened, isOwn }: Opened & { isOwn: boolean }) {
  const [asked, setAsked] = useState<'edit' | 'suspend'>();
  const close = () => setAsked(undefined);
  const { status } = opened.value;
  return (
    <>
      {status !== 'deleting' && <Button onClick={() => setAsked('edit')}>Edit</Button>}
      {status === 'active' && !isOwn && <Button onClick={() => setAsked('suspend')}>Suspend</Button>}
      <ResumeAndDelete opened={opened} />
      {asked === 'edit' && <EditTenant opened={opened} onClose={close} />}
      {asked === 'suspend' && <SuspendTenant opened={opened} onClose={close} />}
    </>
  );
}

function ResumeAndDelete({ opened: { value, etag } }: Opened) {
  const isOffered = value.status === 'suspended';
  const params = { path: { tenant_id: value.id }, header: { 'If-Match': etag } };
  return (
    <>
      <AskButton
        button={{ look: 'primary', children: 'Resume' }}
        isOffered={isOffered}
        title="Resume this tenant?"
        verb="Resume the tenant"
        change={{
          resource: 'tenants',
          send: () => read(api.POST('/admin/api/tenants/{tenant_id}/resume', { params })),
          done: 'Tenant resumed',
        }}
      >
        Its callers are admitted again, and its webhooks get what was kept for them.
      </AskButton>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        isOffered={isOffered}
        title="Delete this tenant?"
        verb="Delete the tenant"
        isDangerous
        change={{
          resource: 'tenants',
          send: () => read(api.DELETE('/admin/api/tenants/{tenant_id}', { params })),
          done: 'Tenant is being deleted',
        }}
      >
        Every task, agent, key and event of {value.slug} is deleted, and its audit log too. This cannot be undone.
      </AskButton>
    </>
  );
}

const labels = { reason: 'Reason' };

const SuspendTenant = ({ opened, onClose }: Opened & { onClose: () => void }) => (
  <EditForm
    title="Suspend the tenant"
    verb="Suspend the tenant"
    resource="tenants"
    opened={opened}
    query={tenantQuery(opened.value.id)}
    labels={labels}
    textsOf={({ suspended_reason: reason }) => ({ reason: reason ?? '' })}
    send={(form, { value: { id }, etag }) => {
      const params = { path: { tenant_id: id }, header: { 'If-Match': etag } };
      const body = { reason: textIn(form, 'reason') };
      return read(api.POST('/admin/api/tenants/{tenant_id}/suspend', { params, body }));
    }}
    done="Tenant suspended"
    onClose={onClose}
  >
    {(_, errors) => (
      <>
        <p>Its callers are refused, its agents stop, and what its webhooks would get is kept until it is resumed.</p>
        <TextArea
          label={labels.reason}
          name="reason"
          rows={2}
          maxLength={500}
          hint="Its callers read it in their errors."
          error={errorOf(errors, 'reason')}
          required
        />
      </>
    )}
  </EditForm>
);
