import { Link } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { ProjectLink } from '../resources/names/project-link.tsx';
import { NoAgentHas } from '../resources/no-agent-has.tsx';
import type { Task } from '../resources/task-queries.ts';
import { isOpen } from '../resources/task-words.ts';

const waitingFor = {
  agent: 'an agent',
  person: 'a person',
  dependency: 'its review',
  timer: 'a delay',
  external: 'the other platform',
  budget: 'a budget that is used up',
} as const;

const WaitsFor = ({ kind, id }: NonNullable<Task['waiting_on']>) =>
  kind === 'agent' && id !== null ? <Actor id={id} /> : waitingFor[kind];

export function TaskFacts({ task }: { task: Task }) {
  const { waiting_on: waiting } = task;
  const facts = {
    Priority: task.priority,
    Role: (
      <>
        {task.assigned_role ?? 'any'}{' '}
        {isOpen(task.status) && task.assigned_agent === null && <NoAgentHas role={task.assigned_role} />}
      </>
    ),
    Project: task.project && <ProjectLink id={task.project} />,
    Agent: task.assigned_agent === null ? 'not planned yet' : <Actor id={task.assigned_agent} />,
    'Waits for': waiting && task.status !== 'in_progress' && (
      <>
        <WaitsFor {...waiting} />, since <Moment at={waiting.since} />
      </>
    ),
    'Worked on': waiting && task.status === 'in_progress' && (
      <>
        since <Moment at={waiting.since} />
      </>
    ),
    'Sent back': task.rework_rounds > 0 && `${task.rework_rounds} times since a person decided`,
    Stalled: task.stalled_at && (
      <Tag tone="warn">
        <Moment at={task.stalled_at} />
      </Tag>
    ),
    Due: task.due_date && <Moment at={task.due_date} />,
    'Step of': task.workflow_run_id && (
      <Link to="/runs/$runId" params={{ runId: task.workflow_run_id }}>
        a run
      </Link>
    ),
    Created: <Moment at={task.created_at} />,
    Changed: <Moment at={task.updated_at} />,
    Tags:
      task.tags.length > 0 &&
      task.tags.map((tag) => (
        <Link key={tag} to="/tasks" search={{ tag }}>
          <Tag>{tag}</Tag>
        </Link>
      )),
    ID: <code>{task.id}</code>,
  };
  return <Facts facts={facts} own={ownFacts(task.metadata)} />;
}

const ownFacts = (metadata: Task['metadata']) =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      <span key={name} className={parts['text']} dir="auto">
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </span>,
    ]),
  );
