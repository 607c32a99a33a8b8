import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { ChoiceFilter, LogFilters, plainOptions } from '../resources/log/log-filters.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { keyPages } from './access-queries.ts';
import { type KeySearch, keyStatuses } from './access-search.ts';
import { type Key, toneOf } from './access-words.ts';
import { Scopes } from './fields.tsx';
import { KeyShown } from './key-actions.tsx';
import { CreateKey } from './key-form.tsx';
import { Who } from './names.tsx';
import { useReadsAgain } from './use-access.ts';

export function KeyListPage() {
  const search: KeySearch = useSearch({ from: '/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const mayManage = useMay('admin');
  const [made, setMade] = useState<{ id: string; key: string }>();
  const change = (next: object) => void navigate({ search: { ...search, ...next }, replace: true });
  const create = () => mayManage && change({ new: true });
  useReadsAgain('keys');
  useShortcuts(mayManage ? [{ keys: 'n', label: 'Create an API key', run: create }] : []);
  return (
    <>
      <PageHead title="API keys">
        {mayManage && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogFilters>
        <ChoiceFilter
          label="Status"
          any="Any status"
          options={plainOptions(keyStatuses)}
          value={search.status}
          onChange={(status) => change({ status })}
        />
        {search.agent_id && <Button onClick={() => change({ agent_id: undefined })}>Keys of all agents</Button>}
      </LogFilters>
      <KeyTable
        key={JSON.stringify({ ...search, new: undefined })}
        search={search}
        onCreate={mayManage ? create : undefined}
      />
      {search.new && mayManage && !made && (
        <CreateKey agentId={search.agent_id} onClose={() => change({ new: undefined })} onMade={setMade} />
      )}
      {made && (
        <KeyShown
          text={made.key}
          onClose={() => void navigate({ to: '/keys/$keyId', params: { keyId: made.id }, search: {} })}
        />
      )}
    </>
  );
}

function KeyTable({ search, onCreate }: { search: KeySearch; onCreate: (() => void) | undefined }) {
  const pages = useCursorPages(keyPages(search));
  const ownerOf = ({ agent_id: agentId, created_by: by }: Key) => agentId ?? by;
  return (
    <LogTable
      label="API keys"
      pages={pages}
      columns={[
        {
          name: 'Name',
          show: ({ id, name }) => (
            <Link to="/keys/$keyId" params={{ keyId: id }} data-opens-page title={name}>
              {name}
            </Link>
          ),
        },
        { name: 'Status', show: ({ status }) => <Tag tone={toneOf(status)}>{status}</Tag> },
        { name: 'Owner', show: (key) => <Who id={ownerOf(key)} /> },
        { name: 'Scopes', show: ({ scopes }) => <Scopes given={scopes} /> },
        { name: 'Key', show: ({ prefix, last_four: end }) => <code>{`${prefix}…${end}`}</code> },
        { name: 'Last used', show: ({ last_used_at: at }) => (at === null ? 'never' : <Moment at={at} />) },
        { name: 'Expires', show: ({ expires_at: at }) => (at === null ? 'never' : <Moment at={at} />) },
      ]}
      empty={
        <EmptyState title="No API keys" action={onCreate && <Button onClick={onCreate}>Create an API key</Button>}>
          No key fits these filters. Clear them, or create a key: programs send it to use the API.
        </EmptyState>
      }
    />
  );
}
