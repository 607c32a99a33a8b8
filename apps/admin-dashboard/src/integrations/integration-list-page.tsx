import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { type Integration, nameOf } from '../resources/integrations/integration-names.ts';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { Connect } from './connect.tsx';
import { integrationPages } from './integration-queries.ts';
import { errorWord, statusTone } from './integration-words.ts';

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

const columns = [
  {
    name: 'System',
    show: (integration: Integration) => (
      <Link
        to="/integrations/$integrationId"
        params={{ integrationId: integration.id }}
        data-opens-page
        title={nameOf(integration)}
      >
        {nameOf(integration)}
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status, status_reason: reason }: Integration) => (
      <Tag tone={statusTone(status)}>{reason === undefined ? status : `${status}: ${reason}`}</Tag>
    ),
  },
  {
    name: 'Last received',
    show: ({ last_received_at: at }: Integration) => (at === undefined ? 'nothing yet' : <Moment at={at} />),
  },
  { name: 'Last error', show: ({ last_error: error }: Integration) => error && errorWord(error.reason) },
  { name: 'Connected', show: ({ connected_at: at }: Integration) => <Moment at={at} /> },
];

function Integrations({ onConnect }: { onConnect: (() => void) | undefined }) {
  const empty = (
    <EmptyState
      title="Nothing is connected"
      action={onConnect && <Button onClick={onConnect}>Connect a system</Button>}
    >
      Connect your task platform, your source host or your chat, so that agents work with what you already use.
    </EmptyState>
  );
  return <LogTable label="Integrations" pages={useCursorPages(integrationPages)} columns={columns} empty={empty} />;
}
