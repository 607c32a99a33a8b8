import { Link } from '@tanstack/react-router';
import parts from '../parts/parts.module.css';
import { TableHead } from '../resources/charts/table-head.tsx';
import { figure } from '../resources/usage/usage-words.ts';
import { bytesText, percentText, secondsText } from './amounts.ts';
import type { SystemState } from './system-queries.ts';
import styles from './system.module.css';

type LoudTenant = SystemState['loudest_tenants'][number];

const columns: Readonly<Record<string, (tenant: LoudTenant) => string>> = {
  Share: ({ share }) => percentText(share),
  Calls: ({ calls }) => figure(calls),
  Database: ({ database_ms: ms }) => secondsText(ms),
  Bytes: ({ bytes }) => bytesText(bytes),
  Received: ({ received_webhooks: received }) => figure(received),
  Attempts: ({ delivery_attempts: attempts }) => figure(attempts),
};

/** What callers and webhooks of tenants cost in the last hour. */
export const LoudestTenants = ({ tenants }: { tenants: readonly LoudTenant[] }) => (
  <section aria-label="Loudest tenants">
    <h2>Loudest tenants</h2>
    <p className={parts['small']}>
      Those that caused most work in the last hour: calls, their time in the database and bytes, received webhooks, and
      attempts of deliveries.
    </p>
    {tenants.length === 0 ? (
      <p>No calls in the last hour.</p>
    ) : (
      <div className={styles['wide']} role="region" aria-label="Loudest tenants, table" tabIndex={0}>
        <table className={styles['table']}>
          <TableHead columns={['Tenant', ...Object.keys(columns)]} />
          <tbody>
            {tenants.map((tenant) => (
              <tr key={tenant.tenant_id}>
                <th scope="row" dir="auto">
                  <Link to="/usage" search={{ tenant: tenant.tenant_id }}>
                    {tenant.name ?? tenant.tenant_id}
                  </Link>
                </th>
                {Object.entries(columns).map(([name, show]) => (
                  <td key={name}>{show(tenant)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
