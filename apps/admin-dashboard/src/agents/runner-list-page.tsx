import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { ChoiceFilter, LogFilters, plainOptions } from '../resources/log/log-filters.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { NameFilter } from '../resources/names/name-choice.tsx';
import { agentNames } from '../resources/names/sources.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { RunnerActions } from './runner-actions.tsx';
import { type Runner, runnerPages } from './runner-queries.ts';
import { runnerPresences, type RunnerSearch } from './runner-search.ts';
import { processOf, programOf, RunnerTag, runningOf } from './runner-words.tsx';

export function RunnerListPage() {
  const search: RunnerSearch = useSearch({ from: '/agents/runners' });
  const navigate = useNavigate({ from: '/agents/runners' });
  const change = (next: object) =>
    void navigate({ to: '/agents/runners', search: { ...search, ...next }, replace: true });
  return (
    <>
      <PageHead title="Runners">
        <Link to="/agents" className={buttonClass()} data-opens-page>
          Agents
        </Link>
      </PageHead>
      <LogFilters>
        <NameFilter
          source={agentNames}
          label="Agent"
          any="Any agent"
          value={search.agent_id}
          onChange={(agentId) => change({ agent_id: agentId })}
        />
        <ChoiceFilter
          label="Presence"
          any="Any presence"
          options={plainOptions(runnerPresences)}
          value={search.presence}
          onChange={(presence) => change({ presence })}
        />
      </LogFilters>
      <RunnerTable search={search} />
    </>
  );
}

const RunnerTable = ({ search }: { search: RunnerSearch }) => (
  <LogTable
    label="Runners"
    pages={useCursorPages(runnerPages(search))}
    columns={[
      { name: 'Host', show: (runner) => <Host runner={runner} />, share: 1.4 },
      { name: 'Agent', show: (runner) => <AgentLink runner={runner} /> },
      { name: 'Works with', show: (runner) => <span title={programOf(runner)}>{programOf(runner)}</span>, share: 1.4 },
      { name: 'eas', show: ({ version }) => version, share: 0.6 },
      { name: 'Tasks', show: runningOf, share: 0.6 },
      { name: 'Last seen', show: ({ last_seen_at: at }) => <Moment at={at} /> },
      { name: 'Change', show: (runner) => <RunnerActions key={runner.id} runner={runner} /> },
    ]}
    empty={
      <EmptyState title="No runners">
        No runner fits these filters. A runner is a process that works for an agent: <code>eas agent start</code> on any
        machine.
      </EmptyState>
    }
  />
);

const Host = ({ runner }: { runner: Runner }) => (
  <span title={processOf(runner)}>
    <RunnerTag {...runner} /> {runner.host}
  </span>
);

const AgentLink = ({ runner: { agent_id: agentId } }: { runner: Runner }) => (
  <Link to="/agents/$agentId" params={{ agentId }} data-opens-page>
    <Actor id={agentId} />
  </Link>
);
