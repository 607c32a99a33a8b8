import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogTable } from '../resources/log-table.tsx';
import { ChoiceFilter, LogFilters } from '../resources/log/log-filters.tsx';
import type { Project } from '../resources/project-queries.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreateProject } from './project-form.tsx';
import { projectPages } from './project-queries.ts';
import type { ProjectSearch } from './project-search.ts';
import { shortNameOf } from './project-values.ts';

export function ProjectListPage() {
  const search: ProjectSearch = useSearch({ from: '/projects' });
  const navigate = useNavigate({ from: '/projects' });
  const mayWrite = useMay('projects:write');
  const isArchived = search.archived === true;
  const change = (next: ProjectSearch) => void navigate({ search: next, replace: true });
  const create = () => mayWrite && change({ new: true });
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'Create a project', run: create }] : []);
  return (
    <>
      <PageHead title="Projects">
        {mayWrite && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogFilters>
        <ChoiceFilter
          label="State"
          any="In use"
          options={{ archived: 'Archived' }}
          value={isArchived ? 'archived' : undefined}
          onChange={(value) => change(value ? { archived: true } : {})}
        />
      </LogFilters>
      <Projects isArchived={isArchived} onCreate={mayWrite ? create : undefined} />
      {search.new && mayWrite && (
        <CreateProject
          onClose={() => change({})}
          onCreated={(projectId) => void navigate({ to: '/projects/$projectId', params: { projectId }, search: {} })}
        />
      )}
    </>
  );
}

const columns = [
  {
    name: 'Name',
    show: ({ id, name }: Project) => (
      <Link to="/projects/$projectId" params={{ projectId: id }} data-opens-page title={name}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Repositories',
    share: 2,
    show: ({ repositories }: Project) => repositories.map(({ url }) => shortNameOf(url)).join(', '),
  },
  { name: 'Role', show: ({ defaults }: Project) => defaults.assigned_role },
  {
    name: 'Tasks',
    show: ({ id, name }: Project) => (
      <Link to="/tasks" search={{ project: id }} aria-label={`Tasks of ${name}`}>
        Tasks
      </Link>
    ),
  },
  { name: 'Changed', show: ({ updated_at: at }: Project) => <Moment at={at} /> },
];

type ProjectsProps = { isArchived: boolean; onCreate: (() => void) | undefined };

function Projects({ isArchived, onCreate }: ProjectsProps) {
  const pages = useCursorPages(projectPages(isArchived));
  return (
    <LogTable label="Projects" pages={pages} columns={columns} empty={<NoProjects {...{ isArchived, onCreate }} />} />
  );
}

const NoProjects = ({ isArchived, onCreate }: ProjectsProps) =>
  isArchived ? (
    <EmptyState title="No archived projects">
      Archive a project on its page when it is no longer worked on: no new task can have it then.
    </EmptyState>
  ) : (
    <EmptyState title="No projects" action={onCreate && <Button onClick={onCreate}>Create a project</Button>}>
      A project tells agents which git repositories a task is about, how to prepare a folder, and which commands show
      that the work is good.
    </EmptyState>
  );
