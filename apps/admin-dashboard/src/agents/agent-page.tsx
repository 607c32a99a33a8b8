import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { StatusTag as TaskStatusTag } from '../resources/status-tag.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentRunners } from './agent-runners.tsx';
import { agentQuery, type ReadAgent } from './agent-queries.ts';
import { loadOf, PresenceTag, StatusTag } from './agent-tags.tsx';
import styles from './agents.module.css';
import { ConnectAgent } from './connect.tsx';

type Agent = ReadAgent['value'];

export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' });
  const { key } = useSearch({ from: '/agents/$agentId' });
  const { data: opened, error, refetch } = useQuery(agentQuery(agentId));
  const mayChange = useMay('agents:write');
  if (!opened) return <NotRead error={error} onRetry={() => void refetch()} />;
  const agent = opened.value;
  return (
    <>
      <PageHead title={agent.name} before={<Presence agent={agent} />}>
        {mayChange && <AgentActions opened={opened} asksForKey={key ?? false} />}
      </PageHead>
      <div className={styles['agent']}>
        <div className={styles['story']}>
          <CurrentTasks agent={agent} />
          <AgentRunners agentId={agent.id} />
          <section aria-label="Connect" className={styles['connect']}>
            <h2>Connect</h2>
            <ConnectAgent agent={agent} />
          </section>
        </div>
        <AgentFacts agent={agent} />
      </div>
    </>
  );
}

const Presence = ({ agent }: { agent: Agent }) => (
  <span>
    <PresenceTag {...agent} /> <StatusTag {...agent} />
  </span>
);

const CurrentTasks = ({ agent }: { agent: Agent }) => (
  <section aria-label="Current tasks">
    <h2>Current tasks</h2>
    {agent.current_tasks.length === 0 && (
      <p className={parts['small']}>
        None. It gets work when it claims a task of the role {agent.role}, or one that is handed over to it.
      </p>
    )}
    <ul>
      {agent.current_tasks.map(({ id, title, status }) => (
        <li key={id} className={styles['entry']}>
          <Link to="/tasks/$taskId" params={{ taskId: id }} data-opens-page dir="auto">
            {title}
          </Link>{' '}
          <TaskStatusTag status={status} />
        </li>
      ))}
    </ul>
    <Link to="/tasks" search={{ assigned_agent: agent.id }} data-opens-page>
      {agent.current_tasks_truncated ? 'There are more: all tasks of this agent' : 'All tasks of this agent'}
    </Link>
  </section>
);

function AgentFacts({ agent }: { agent: Agent }) {
  const isAdmin = useMay('admin');
  const { stats, capabilities } = agent;
  const facts = {
    Role: agent.role,
    Load: `${loadOf(agent)} tasks`,
    Completed: `${stats.tasks_completed} tasks`,
    'Mean time': stats.avg_completion_seconds !== null && stats.avg_completion_time,
    'Code quality': stats.code_quality === null ? 'no scores yet' : `${stats.code_quality} of 100`,
    'Last active': <Moment at={agent.last_active} />,
    Created: <Moment at={agent.created_at} />,
    Capabilities: capabilities.length > 0 && capabilities.map((one) => <Tag key={one}>{one}</Tag>),
    ID: <code>{agent.id}</code>,
    Keys: isAdmin && (
      <Link to="/keys" search={{ agent_id: agent.id }} data-opens-page>
        Manage and revoke keys
      </Link>
    ),
  };
  return <Facts facts={facts} />;
}
