import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { TenantActions } from './tenant-actions.tsx';
import { limitLabels, retentionLabels } from './tenant-form.tsx';
import { type Tenant, tenantQuery, toneOf } from './tenant-queries.ts';

/** The slug of the tenant that every installation has. */
const ownSlug = 'default';

export function TenantPage() {
  const { tenantId } = useParams({ from: '/tenants/$tenantId' });
  const { data, error, refetch } = useQuery(tenantQuery(tenantId));
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const { value: tenant } = data;
  return (
    <>
      <PageHead title={tenant.name} before={<Tag tone={toneOf(tenant.status)}>{tenant.status}</Tag>}>
        <TenantActions key={tenant.id} opened={data} isOwn={tenant.slug === ownSlug} />
      </PageHead>
      <div className={log['page']}>
        <Facts facts={factsOf(tenant)} />
      </div>
    </>
  );
}

const factsOf = (tenant: Tenant) => ({
  Slug: tenant.slug,
  Plan: tenant.plan ?? 'none',
  'Requests a minute': tenant.rate_limit?.toString() ?? 'as the settings say',
  'May have at most': namedNumbers(limitLabels, tenant.limits),
  Keeps: namedNumbers(retentionLabels, tenant.retention),
  ...(tenant.suspended_at === null
    ? {}
    : { Suspended: <Moment at={tenant.suspended_at} />, Reason: tenant.suspended_reason }),
  Created: <Moment at={tenant.created_at} />,
  Changed: <Moment at={tenant.updated_at} />,
  ID: <code>{tenant.id}</code>,
  'Audit log': (
    <Link to="/audit" search={{ target_id: tenant.id }} data-opens-page>
      What was done to the tenant
    </Link>
  ),
});

function namedNumbers<N extends string>(labels: Record<N, string>, values: Partial<Record<N, number>>): string {
  const own = (Object.keys(labels) as N[]).filter((name) => values[name] !== undefined);
  return own.map((name) => `${labels[name]} ${values[name]}`).join(', ') || 'as the settings say';
}
