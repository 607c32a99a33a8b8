import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { stepsOfDefinition } from '../resources/graph-steps.ts';
import { LazyGraph } from '../resources/lazy-graph.tsx';
import { type Workflow, workflowQuery } from '../resources/run-queries.ts';
import { ArchiveWorkflow } from './archive-workflow.tsx';
import styles from './workflows.module.css';

export function WorkflowPage() {
  const { workflowId } = useParams({ from: '/workflows/$workflowId' });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(workflowId));
  const mayStart = useMay('workflows:run');
  const mayWrite = useMay('workflows:write');
  if (!workflow) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead title={workflow.name}>
        {mayWrite && (
          <Link to="/workflows/$workflowId/edit" params={{ workflowId }} className={buttonClass()}>
            Edit
          </Link>
        )}
        {mayWrite && <ArchiveWorkflow workflow={workflow} />}
        {mayStart && workflow.archived_at === null && (
          <Link to="/workflows/$workflowId/start" params={{ workflowId }} className={buttonClass('primary')}>
            Start a run
          </Link>
        )}
      </PageHead>
      <div className={styles['page']}>
        <div className={styles['story']}>
          {workflow.archived_at !== null && (
            <p>
              <Tag tone="warn">archived</Tag> No run can start. Runs that have started go on.
            </p>
          )}
          <p className={parts['text']} dir="auto">
            {workflow.description}
          </p>
          <LazyGraph steps={stepsOfDefinition(workflow.definition)} />
          <StepDefinitions workflow={workflow} />
        </div>
        <WorkflowFacts workflow={workflow} />
      </div>
    </>
  );
}

function StepDefinitions({ workflow: { definition } }: { workflow: Workflow }) {
  const nameOf = (key: string) => definition.steps.find(({ id }) => id === key)?.name ?? key;
  return (
    <section aria-label="Steps">
      <h2>Steps</h2>
      <ol>
        {definition.steps.map(({ id, name, role, needs = [], approval, condition, task }) => (
          <li key={id} className={styles['item']}>
            <strong>{name}</strong> <Tag>{role}</Tag>{' '}
            {approval && <Tag tone="warn">approval by {approverOf(approval)}</Tag>}{' '}
            {condition && <Tag tone="accent">has a condition</Tag>}
            <p className={parts['small']}>
              {needs.length === 0 ? 'The first step' : `After ${needs.map(nameOf).join(', ')}`}
            </p>
            <p className={parts['text']} dir="auto">
              {task.title}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Approval = NonNullable<Workflow['definition']['steps'][number]['approval']>;
const approverOf = ({ role, agent_id: agent }: Approval): string => role ?? agent ?? 'a person';

function WorkflowFacts({ workflow }: { workflow: Workflow }) {
  const { id, version, created_at: created, updated_at: updated, archived_at: archived } = workflow;
  const { estimated_duration: duration, definition } = workflow;
  const facts = {
    Version: version,
    Changed: <Moment at={updated} />,
    Created: <Moment at={created} />,
    ...(archived !== null && { Archived: <Moment at={archived} /> }),
    Takes: duration,
    Runs: <Runs id={id} version={version} />,
    ID: <code>{id}</code>,
  };
  return (
    <aside aria-label="About the workflow">
      <Facts facts={facts} />
      <p className={parts['small']}>A run keeps the version that it started with.</p>
      {Object.keys(definition.parameters ?? {}).length > 0 && <h2>Parameters</h2>}
      <ul>
        {Object.entries(definition.parameters ?? {}).map(([name, { type, required, description }]) => (
          <li key={name} className={styles['item']}>
            <code>{name}</code> <Tag tone={required ? 'accent' : 'none'}>{required ? `${type}, required` : type}</Tag>
            <p className={parts['small']}>{description}</p>
          </li>
        ))}
      </ul>
    </aside>
  );
}

const shownVersions = 5;

/** Runs of all versions, and of the newest ones each. */
function Runs({ id, version }: { id: string; version: number }) {
  const versions = Array.from({ length: Math.min(version, shownVersions) }, (_, at) => version - at);
  return (
    <ul>
      <li>
        <Link to="/runs" search={{ workflow_id: id }}>
          All
        </Link>
      </li>
      {versions.map((one) => (
        <li key={one}>
          <Link to="/runs" search={{ workflow_id: id, workflow_version: one }}>
            Of version {one}
          </Link>
        </li>
      ))}
    </ul>
  );
}
