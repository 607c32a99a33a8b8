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
import { userPages } from './access-queries.ts';
import { roles, type UserSearch, userStatuses } from './access-search.ts';
import { toneOf, type User } from './access-words.ts';
import { Scopes } from './fields.tsx';
import { useReadsAgain } from './use-access.ts';
import { LinkShown } from './user-actions.tsx';
import { CreateUser } from './user-form.tsx';

const columns = [
  {
    name: 'Name',
    show: ({ id, name }: User) => (
      <Link to="/users/$userId" params={{ userId: id }} data-opens-page title={name}>
        {name}
      </Link>
    ),
  },
  { name: 'Role', show: ({ role, scopes }: User) => role ?? <Scopes given={scopes} /> },
  { name: 'E-mail', show: ({ email }: User) => <span title={email}>{email}</span> },
  { name: 'Status', show: ({ status }: User) => <Tag tone={toneOf(status)}>{status}</Tag> },
  {
    name: 'Last signed in',
    show: ({ last_signed_in_at: at }: User) => (at === null ? 'never' : <Moment at={at} />),
  },
  { name: 'Created', show: ({ created_at: at }: User) => <Moment at={at} /> },
];

export function UserListPage() {
  const search: UserSearch = useSearch({ from: '/users' });
  const navigate = useNavigate({ from: '/users' });
  const mayManage = useMay('admin');
  const [made, setMade] = useState<{ id: string; link: string }>();
  const change = (next: object) => void navigate({ search: { ...search, ...next }, replace: true });
  const create = () => mayManage && change({ new: true });
  const openPage = (userId: string) => void navigate({ to: '/users/$userId', params: { userId }, search: {} });
  useReadsAgain('users');
  useShortcuts(mayManage ? [{ keys: 'n', label: 'Invite a user', run: create }] : []);
  return (
    <>
      <PageHead title="Users">
        {mayManage && (
          <Button look="primary" shortcut="n" onClick={create}>
            Invite
          </Button>
        )}
      </PageHead>
      <Filters search={search} onChange={change} />
      <UserTable
        key={JSON.stringify({ ...search, new: undefined })}
        search={search}
        onCreate={mayManage ? create : undefined}
      />
      {search.new && mayManage && !made && (
        <CreateUser
          onClose={() => change({ new: undefined })}
          onMade={({ id, link }) => (link === undefined ? openPage(id) : setMade({ id, link }))}
        />
      )}
      {made && <LinkShown link={made.link} onClose={() => openPage(made.id)} />}
    </>
  );
}

function UserTable({ search, onCreate }: { search: UserSearch; onCreate: (() => void) | undefined }) {
  const pages = useCursorPages(userPages(search));
  return (
    <LogTable
      label="Users"
      pages={pages}
      columns={columns}
      empty={
        <EmptyState title="No users" action={onCreate && <Button onClick={onCreate}>Invite a user</Button>}>
          No user fits these filters. Clear them, or invite a person.
        </EmptyState>
      }
    />
  );
}

type FiltersProps = { search: UserSearch; onChange: (change: object) => void };

function Filters({ search, onChange }: FiltersProps) {
  const choices = { role: roles, status: userStatuses };
  return (
    <LogFilters>
      {(['role', 'status'] as const).map((name) => (
        <ChoiceFilter
          key={name}
          label={name === 'role' ? 'Role' : 'Status'}
          any={`Any ${name}`}
          options={plainOptions(choices[name])}
          value={search[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </LogFilters>
  );
}
