import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogTable } from '../resources/log-table.tsx';
import { ProjectLink } from '../resources/names/project-link.tsx';
import { lineOfRules } from '../resources/rules/rules.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreatePolicy } from './create-policy.tsx';
import { EditPolicy } from './edit-policy.tsx';
import { policyPages } from './policy-queries.ts';
import type { PolicySearch } from './policy-search.ts';
import type { Policy } from './policy-values.ts';

export function PolicyListPage() {
  const search: PolicySearch = useSearch({ from: '/policies' });
  const navigate = useNavigate({ from: '/policies' });
  const mayWrite = useMay('projects:write');
  const change = (next: PolicySearch) => void navigate({ search: next, replace: true });
  const create = () => mayWrite && change({ new: true });
  const pages = useCursorPages(policyPages);
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'Create a policy', run: create }] : []);
  return (
    <>
      <PageHead title="Permissions">
        {mayWrite && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogTable
        label="Policies"
        pages={pages}
        columns={columnsFor(mayWrite)}
        empty={
          <EmptyState title="No policies" action={mayWrite && <Button onClick={create}>Create a policy</Button>}>
            A policy says what agents may do with their tools for the tasks of a project and a role: allow, ask a
            person, or deny. Without one everything is allowed that the sandbox of the agent lets it do.
          </EmptyState>
        }
      />
      {search.new && mayWrite && <CreatePolicy onClose={() => change({})} />}
      {search.policy !== undefined && mayWrite && <EditPolicy id={search.policy} onClose={() => change({})} />}
    </>
  );
}

const nameOf = ({ project_id: project, role }: Policy) =>
  `${project === null ? 'All projects' : 'Project'}, ${role ?? 'all roles'}`;

const columnsFor = (mayWrite: boolean) => [
  {
    name: 'Project',
    show: ({ project_id: id }: Policy) => (id === null ? 'All projects' : <ProjectLink id={id} />),
  },
  { name: 'Role', show: ({ role }: Policy) => role ?? 'All roles' },
  { name: 'Rules', share: 3, show: ({ rules }: Policy) => <bdi title={lineOfRules(rules)}>{lineOfRules(rules)}</bdi> },
  { name: 'Changed', show: ({ updated_at: at }: Policy) => <Moment at={at} /> },
  {
    name: 'Change',
    show: (policy: Policy) =>
      mayWrite && (
        <Link to="/policies" search={{ policy: policy.id }} aria-label={`Change the policy: ${nameOf(policy)}`}>
          Change
        </Link>
      ),
  },
];
