import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, Loading, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import log from '../work/log.module.css';
import { Connect } from './connect.tsx';
import { integrationsQuery } from './integration-queries.ts';
import { type Integration, nameOf, statusTone } from './integration-words.ts';

export function IntegrationListPage() {
  const { connect } = useSearch({ from: '/integrations' });
  const navigate = useNavigate({ from: '/integrations' });
  const mayChange = useMay('integrations:write');
  const choose = () => mayChange && void navigate({ search: { connect: 'choose' }, replace: true });
  useShortcuts([{ keys: 'n', label: 'Connect a system', run: choose }]);
  return (
    <>
      <PageHead title="Integrations">
        {mayChange && (
          <Button look="primary" shortcut="n" onClick={choose}>
            Connect
          </Button>
        )}
      </PageHead>
      <Integrations onConnect={mayChange ? choose : undefined} />
      {connect && mayChange && (
        <Connect
          step={connect}
          onStep={(step) => void navigate({ search: step ? { connect: step } : {}, replace: true })}
          onOpen={(integrationId) =>
            void navigate({ to: '/integrations/$integrationId', params: { integrationId }, search: {} })
          }
        />
      )}
    </>
  );
}

function Integrations({ onConnect }: { onConnect: (() => void) | undefined }) {
  const { data, error, refetch } = useQuery(integrationsQuery);
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.data.length === 0)
    return (
      <EmptyState
        title="Nothing is connected"
        action={onConnect && <Button onClick={onConnect}>Connect a system</Button>}
      >
        Connect your task platform, your source host or your chat, so that agents work with what you already use.
      </EmptyState>
    );
  return (
    <ul aria-label="Integrations">
      {data.data.map((integration) => (
        <Row key={integration.id} integration={integration} />
      ))}
    </ul>
  );
}

const Row = ({ integration }: { integration: Integration }) => (
  <li className={log['entry']}>
    <div className={parts['row']}>
      <Link to="/integrations/$integrationId" params={{ integrationId: integration.id }} data-opens-page>
        {nameOf(integration)}
      </Link>
      <Tag tone={statusTone(integration.status)}>
        {[integration.status, integration.status_reason].filter((part) => part !== undefined).join(': ')}
      </Tag>
    </div>
    <p className={parts['small']}>
      Last received: {integration.last_received_at ? <Moment at={integration.last_received_at} /> : 'nothing yet'}
    </p>
  </li>
);
