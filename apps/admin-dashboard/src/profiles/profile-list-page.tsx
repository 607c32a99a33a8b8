import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreateProfile } from './profile-form.tsx';
import { profilePages, type ProfileSummary } from './profile-queries.ts';
import type { ProfileSearch } from './profile-search.ts';

export function ProfileListPage() {
  const search: ProfileSearch = useSearch({ from: '/profiles' });
  const navigate = useNavigate({ from: '/profiles' });
  const mayWrite = useMay('projects:write');
  const pages = useCursorPages(profilePages);
  const change = (next: ProfileSearch) => void navigate({ search: next, replace: true });
  const create = () => mayWrite && change({ new: true });
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'Create a profile', run: create }] : []);
  return (
    <>
      <PageHead title="Profiles">
        {mayWrite && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogTable label="Profiles" pages={pages} columns={columns} empty={<NoProfiles onCreate={mayWrite && create} />} />
      {search.new && mayWrite && (
        <CreateProfile
          onClose={() => change({})}
          onCreated={(profileId) => void navigate({ to: '/profiles/$profileId', params: { profileId }, search: {} })}
        />
      )}
    </>
  );
}

const columns = [
  {
    name: 'Name',
    show: ({ id, name }: ProfileSummary) => (
      <Link to="/profiles/$profileId" params={{ profileId: id }} data-opens-page title={name}>
        {name}
      </Link>
    ),
  },
  { name: 'Roles', share: 2, show: ({ roles }: ProfileSummary) => roles.join(', ') },
  { name: 'Agents', show: ({ agents }: ProfileSummary) => (agents.length > 0 ? agents.length : undefined) },
  { name: 'Version', show: ({ version }: ProfileSummary) => version },
  { name: 'Changed', show: ({ updated_at: at }: ProfileSummary) => <Moment at={at} /> },
];

const NoProfiles = ({ onCreate }: { onCreate: (() => void) | false }) => (
  <EmptyState title="No profiles" action={onCreate && <Button onClick={onCreate}>Create a profile</Button>}>
    A profile says how the agents of a role work: instructions, model, skills, tools and checks.
  </EmptyState>
);
