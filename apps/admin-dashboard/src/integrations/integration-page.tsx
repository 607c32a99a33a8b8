import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Schemas, Versioned } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { CopyText } from '../resources/copy-text.tsx';
import { Facts } from '../resources/facts.tsx';
import { type Integration, nameOf } from '../resources/integrations/integration-names.ts';
import log from '../resources/log.module.css';
import { useLateReads } from '../resources/use-late-reads.ts';
import { ChangeIntegration } from './change-integration.tsx';
import { ChatMessages } from './chat-messages.tsx';
import { AskDelete, AskDisconnect, Reconnect, RotateIntegration } from './integration-changes.tsx';
import { integrationQuery } from './integration-queries.ts';
import { labelsOf, textsOf } from './integration-values.ts';
import { adviceOf, errorWord, statusTone } from './integration-words.ts';
import { AskReconcile, ReconciliationProgress } from './reconcile.tsx';
import { SetupSteps } from './setup-steps.tsx';
import { TestConnection } from './test-connection.tsx';

export function IntegrationPage() {
  const { integrationId } = useParams({ from: '/integrations/$integrationId' });
  const { reconciliation } = useSearch({ from: '/integrations/$integrationId' });
  const { data, error, refetch } = useQuery(integrationQuery(integrationId));
  const mayChange = useMay('integrations:write');
  useLateReads('deliveries');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const integration = data.value;
  return (
    <>
      <PageHead
        title={nameOf(integration)}
        before={<Tag tone={statusTone(integration.status)}>{integration.status}</Tag>}
      >
        {integration.type !== 'slack' && (
          <Link to="/inbound" search={{ integration_id: integration.id }} className={buttonClass()} data-opens-page>
            Received webhooks
          </Link>
        )}
        {mayChange && <Actions opened={data} />}
      </PageHead>
      <div className={log['page']}>
        <Health integration={integration} />
        <Settings integration={integration} />
        {integration.inbound_url !== undefined && (
          <section aria-label="Address">
            <h2>Set in the other system</h2>
            <SetupSteps type={integration.type} />
            <CopyText label="Address" value={integration.inbound_url} />
            {integration.type !== 'slack' && (
              <p className={parts['small']}>The secret is not shown again; Rotate the secret makes another one.</p>
            )}
          </section>
        )}
        {mayChange && <TestConnection integration={integration} />}
        {reconciliation !== undefined && <ReconciliationProgress id={reconciliation} />}
      </div>
      {integration.type === 'slack' && <ChatMessages integrationId={integration.id} />}
    </>
  );
}

function Health({ integration }: { integration: Integration }) {
  const { last_error: lastError, platform_calls: calls, previous_secret_until: until } = integration;
  const facts = {
    Reason: integration.status_reason,
    Connected: <Moment at={integration.connected_at} />,
    'Last received': integration.last_received_at ? <Moment at={integration.last_received_at} /> : 'never',
    'Last applied': integration.last_applied_at ? <Moment at={integration.last_applied_at} /> : 'never',
    'Last error': lastError && (
      <>
        {errorWord(lastError.reason)}, <Moment at={lastError.at} />
      </>
    ),
    'Calls to its API': calls && <Calls calls={calls} />,
    'Previous secret': until !== undefined && (
      <>
        accepted until <Moment at={until} />
      </>
    ),
  };
  return (
    <section aria-label="Health">
      <h2>Health</h2>
      <p>{adviceOf(integration)}</p>
      <Facts facts={facts} />
    </section>
  );
}

const Calls = ({ calls }: { calls: Schemas['PlatformCalls'] }) => (
  <>
    {calls.waiting} waiting, {calls.failed} failed in 30 days
    {calls.paused_until !== null && (
      <>
        , it accepts the next one <Moment at={calls.paused_until} />
      </>
    )}
    {calls.last_error !== null && `: ${calls.last_error}`}
  </>
);

function Settings({ integration }: { integration: Integration }) {
  const texts = textsOf(integration);
  const facts = Object.entries(labelsOf(integration.type)).map(([name, label]) => [
    label,
    <span key={name} className={parts['text']} dir="auto">
      {texts[name] || 'not set'}
    </span>,
  ]);
  return (
    <section aria-label="Settings">
      <h2>Settings</h2>
      <Facts facts={Object.fromEntries(facts) as Record<string, ReactNode>} />
    </section>
  );
}

type Asked = 'change' | 'rotate' | 'reconcile' | 'disconnect' | 'delete';

function Actions({ opened }: { opened: Versioned<Integration> }) {
  const integration = opened.value;
  const [asked, setAsked] = useState<Asked>();
  const navigate = useNavigate({ from: '/integrations/$integrationId' });
  const close = () => setAsked(undefined);
  const common = { opened, onClose: close };
  return (
    <>
      <Button onClick={() => setAsked('change')}>Change</Button>
      {integration.type !== 'slack' && <Button onClick={() => setAsked('rotate')}>Rotate the secret</Button>}
      {integration.type === 'taskplatform' && <Button onClick={() => setAsked('reconcile')}>Reconcile</Button>}
      {integration.status === 'disconnected' ? (
        <Reconnect opened={opened} />
      ) : (
        <Button onClick={() => setAsked('disconnect')}>Disconnect</Button>
      )}
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'change' && <ChangeIntegration opened={opened} onClose={close} />}
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
