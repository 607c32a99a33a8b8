import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogTable } from '../resources/log-table.tsx';
import { ChoiceFilter, LogFilters, plainOptions } from '../resources/log/log-filters.tsx';
import { RoleFilter } from '../resources/names/role-filter.tsx';
import type { TaskSummary } from '../resources/task-queries.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreateAgent } from './agent-form.tsx';
import { type Agent, agentPages, heldTasksQuery } from './agent-queries.ts';
import { type AgentSearch, agentStatuses, presences } from './agent-search.ts';
import { loadOf, PresenceTag, StatusTag } from './agent-tags.tsx';

export function AgentListPage() {
  const search: AgentSearch = useSearch({ from: '/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const mayCreate = useMay('agents:write');
  const change = (next: object) => void navigate({ to: '/agents', search: { ...search, ...next }, replace: true });
  const add = () => void navigate({ to: '/agents/add' });
  useShortcuts(mayCreate ? [{ keys: 'n', label: 'Add an agent', run: add }] : []);
  return (
    <>
      <PageHead title="Agents">
        <Link to="/agents/runners" className={buttonClass()} data-opens-page>
          Runners
        </Link>
        {mayCreate && (
          <Button look="primary" shortcut="n" onClick={add}>
            Add an agent
          </Button>
        )}
      </PageHead>
      <Filters search={search} onChange={change} />
      <AgentTable search={search} onAdd={mayCreate ? add : undefined} />
      {search.new && mayCreate && (
        <CreateAgent
          onClose={() => change({ new: undefined })}
          onCreated={(agentId) => void navigate({ to: '/agents/$agentId', params: { agentId }, search: { key: true } })}
        />
      )}
    </>
  );
}

function AgentTable({ search, onAdd }: { search: AgentSearch; onAdd: (() => void) | undefined }) {
  const pages = useCursorPages(agentPages(search));
  const held = useQuery(heldTasksQuery).data;
  const work = Map.groupBy(held?.data ?? [], ({ assigned_agent: agent }) => agent);
  const workOf = ({ id }: Agent): readonly TaskSummary[] => work.get(id) ?? [];
  return (
    <LogTable
      label="Agents"
      pages={pages}
      columns={[
        { name: 'Name', show: (agent) => <NameLink agent={agent} /> },
        { name: 'Presence', show: (agent) => <PresenceTag {...agent} /> },
        { name: 'Status', show: (agent) => <StatusTag {...agent} /> },
        { name: 'Role', show: ({ role }) => role },
        {
          name: 'Load',
          show: loadOf,
        },
        { name: 'Works on', show: (agent) => <CurrentWork tasks={workOf(agent)} /> },
        { name: 'Last active', show: ({ last_active: at }) => <Moment at={at} /> },
      ]}
      empty={
        <EmptyState title="No agents" action={onAdd && <Button onClick={onAdd}>Add an agent</Button>}>
          No agent fits these filters. Clear them, or add an agent: it has a role, and claims the tasks of that role.
        </EmptyState>
      }
    />
  );
}

const NameLink = ({ agent: { id, name } }: { agent: Agent }) => (
  <Link to="/agents/$agentId" params={{ agentId: id }} data-opens-page title={name}>
    {name}
  </Link>
);

function CurrentWork({ tasks: [task, ...others] }: { tasks: readonly TaskSummary[] }) {
  if (!task) return null;
  return (
    <>
      <Link to="/tasks/$taskId" params={{ taskId: task.id }} data-opens-page title={task.title}>
        {task.title}
      </Link>
      {others.length > 0 && ` and ${others.length} more`}
    </>
  );
}

type FiltersProps = { search: AgentSearch; onChange: (change: Record<string, string | undefined>) => void };

function Filters({ search, onChange }: FiltersProps) {
  const choices = { status: agentStatuses, presence: presences };
  return (
    <LogFilters>
      <RoleFilter value={search.role} onChange={(role) => onChange({ role })} />
      {Object.entries(choices).map(([name, values]) => (
        <ChoiceFilter
          key={name}
          label={`${name[0]?.toUpperCase()}${name.slice(1)}`}
          any={`Any ${name}`}
          options={plainOptions(values)}
          value={search[name as keyof typeof choices]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </LogFilters>
  );
}
