import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { CopyText } from '../work/copy-text.tsx';
import log from '../work/log.module.css';
import { useLateReads } from '../work/use-late-reads.ts';
import { ChangeIntegration } from './change-integration.tsx';
import { ChatMessages } from './chat-messages.tsx';
import { AskDelete, AskDisconnect, Reconnect, RotateIntegration } from './integration-changes.tsx';
import { integrationQuery } from './integration-queries.ts';
import { type Integration, nameOf, statusTone, typeWords } from './integration-words.ts';
import { AskReconcile, ReconciliationProgress } from './reconcile.tsx';
import { TestConnection } from './test-connection.tsx';

export function IntegrationPage() {
  const { integrationId } = useParams({ from: '/integrations/$integrationId' });
  const { reconciliation } = useSearch({ from: '/integrations/$integrationId' });
  const { data, error, refetch } = useQuery(integrationQuery(integrationId));
  const mayChange = useMay('integrations:write');
  useLateReads('deliveries');
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { integration, etag } = data;
  return (
    <>
      <PageHead
        title={nameOf(integration)}
        before={<Tag tone={statusTone(integration.status)}>{integration.status}</Tag>}
      >
        {mayChange && <Actions integration={integration} etag={etag} />}
      </PageHead>
      <div className={log['page']}>
        <Health integration={integration} />
        {integration.inbound_url !== undefined && (
          <section aria-label="Address">
            <h2>Set in the other system</h2>
            <p>{typeWords[integration.type].next}</p>
            <CopyText label="Address" value={integration.inbound_url} />
          </section>
        )}
        {mayChange && <TestConnection integration={integration} />}
        {reconciliation !== undefined && <ReconciliationProgress id={reconciliation} />}
      </div>
      {integration.type === 'slack' && <ChatMessages integrationId={integration.id} />}
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const When = ({ at }: { at: string | undefined }) => (at === undefined ? 'never' : <Moment at={at} />);

function Health({ integration }: { integration: Integration }) {
  const { last_error: lastError, platform_calls: calls, previous_secret_until: until } = integration;
  return (
    <section aria-label="Health">
      <h2>Health</h2>
      <dl className={log['facts']}>
        <Fact name="Status">{integration.status}</Fact>
        {integration.status_reason !== undefined && <Fact name="Reason">{integration.status_reason}</Fact>}
        <Fact name="Connected">
          <Moment at={integration.connected_at} />
        </Fact>
        <Fact name="Last received">
          <When at={integration.last_received_at} />
        </Fact>
        <Fact name="Last applied">
          <When at={integration.last_applied_at} />
        </Fact>
        {lastError && (
          <Fact name="Last error">
            {lastError.reason}, <Moment at={lastError.at} />
          </Fact>
        )}
        {calls && (
          <Fact name="Calls to the platform">
            {calls.waiting} waiting, {calls.failed} failed
            {calls.paused_until !== null && ', paused by the platform'}
            {calls.last_error !== null && `: ${calls.last_error}`}
          </Fact>
        )}
        {until !== undefined && (
          <Fact name="Previous secret">
            accepted until <Moment at={until} />
          </Fact>
        )}
        {integration.repositories && <Fact name="Repositories">{integration.repositories.join(', ') || 'all'}</Fact>}
        {integration.channels && <Fact name="Channels">{integration.channels.join(', ') || 'none'}</Fact>}
        {integration.events && <Fact name="Events">{integration.events.join(', ') || 'none'}</Fact>}
      </dl>
    </section>
  );
}

type Asked = 'change' | 'rotate' | 'reconcile' | 'disconnect' | 'delete';

function Actions({ integration, etag }: { integration: Integration; etag: string | undefined }) {
  const [asked, setAsked] = useState<Asked>();
  const navigate = useNavigate({ from: '/integrations/$integrationId' });
  const close = () => setAsked(undefined);
  const common = { integration, onClose: close };
  return (
    <>
      <Button onClick={() => setAsked('change')}>Change</Button>
      {integration.type !== 'slack' && <Button onClick={() => setAsked('rotate')}>Rotate the secret</Button>}
      {integration.type === 'taskplatform' && <Button onClick={() => setAsked('reconcile')}>Reconcile</Button>}
      {integration.status === 'disconnected' ? (
        <>
          <Reconnect integration={integration} />
          <Button look="danger" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </>
      ) : (
        <Button look="danger" onClick={() => setAsked('disconnect')}>
          Disconnect
        </Button>
      )}
      {asked === 'change' && <ChangeIntegration {...common} etag={etag} />}
      {asked === 'rotate' && <RotateIntegration {...common} />}
      {asked === 'disconnect' && <AskDisconnect {...common} />}
      {asked === 'delete' && <AskDelete {...common} onDeleted={() => void navigate({ to: '/integrations' })} />}
      {asked === 'reconcile' && (
        <AskReconcile
          {...common}
          onStarted={(reconciliation) => {
            close();
            void navigate({ search: { reconciliation }, replace: true });
          }}
        />
      )}
    </>
  );
}
