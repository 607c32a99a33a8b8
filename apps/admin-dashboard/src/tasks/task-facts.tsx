import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { agentsQuery, type Task } from '../work/task-queries.ts';
import styles from './tasks.module.css';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const waitingFor = {
  agent: 'an agent',
  person: 'a person',
  dependency: 'its review',
  timer: 'a delay',
  external: 'the other platform',
} as const;

export function TaskFacts({ task }: { task: Task }) {
  const agents = useQuery(agentsQuery).data?.data;
  const agent = agents?.find(({ id }) => id === task.assigned_agent)?.name ?? task.assigned_agent;
  const { waiting_on: waiting } = task;
  return (
    <dl className={styles['facts']}>
      <Fact name="Priority">{task.priority}</Fact>
      <Fact name="Role">{task.assigned_role ?? 'any'}</Fact>
      <Fact name="Agent">{agent ?? 'not planned yet'}</Fact>
      {waiting && (
        <Fact name="Waits for">
          {waitingFor[waiting.kind]}, since <Moment at={waiting.since} />
        </Fact>
      )}
      {task.stalled_at && (
        <Fact name="Stalled">
          <Tag tone="warn">
            <Moment at={task.stalled_at} />
          </Tag>
        </Fact>
      )}
      {task.due_date && (
        <Fact name="Due">
          <Moment at={task.due_date} />
        </Fact>
      )}
      {task.workflow_run_id && (
        <Fact name="Step of">
          <Link to="/runs/$runId" params={{ runId: task.workflow_run_id }}>
            a run
          </Link>
        </Fact>
      )}
      <Fact name="Created">
        <Moment at={task.created_at} />
      </Fact>
      <Fact name="Changed">
        <Moment at={task.updated_at} />
      </Fact>
      {task.tags.length > 0 && (
        <Fact name="Tags">
          {task.tags.map((tag) => (
            <Link key={tag} to="/tasks" search={{ tag }}>
              <Tag>{tag}</Tag>
            </Link>
          ))}
        </Fact>
      )}
      <Fact name="ID">
        <code>{task.id}</code>
      </Fact>
      {Object.entries(task.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          <span className={parts['text']}>{typeof value === 'string' ? value : JSON.stringify(value)}</span>
        </Fact>
      ))}
    </dl>
  );
}
