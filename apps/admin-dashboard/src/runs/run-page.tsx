import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useHeldCalls } from '../api/held-calls.ts';
import { useMay } from '../api/session.ts';
import { useTimelineStream } from '../live/start-live.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { stepsOfRun } from '../resources/graph-steps.ts';
import { LazyGraph } from '../resources/lazy-graph.tsx';
import { type Run, runQuery, workflowQuery } from '../resources/run-queries.ts';
import { runWords } from '../resources/run-words.ts';
import { decidedOf, DecideStep, tryOf } from './decide-step.tsx';
import { RunActions } from './run-actions.tsx';
import { RunTimeline } from './run-timeline.tsx';
import styles from './runs.module.css';
import { StepDetail } from './step-detail.tsx';
import { StepList } from './step-list.tsx';

export function RunPage() {
  const { runId } = useParams({ from: '/runs/$runId' });
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  const mayRun = useMay('workflows:run');
  useTimelineStream(`/v1/runs/${runId}/events`, ['runs']);
  if (!run) return <NotRead error={error} onRetry={() => void refetch()} />;
  const { label, tone } = runWords(run);
  return (
    <>
      <PageHead title={run.name} before={<Tag tone={tone}>{label}</Tag>}>
        {mayRun && <RunActions run={run} />}
      </PageHead>
      <div className={styles['page']}>
        <div className={styles['story']}>
          <Approvals run={run} />
          <Steps run={run} />
          <RunTimeline run={run} />
        </div>
        <RunFacts run={run} />
      </div>
    </>
  );
}

/**
 * The steps that wait for a decision. Keys belong to one of them until the person decides about it or focuses another
 * one; they do not move on because another person has decided.
 */
function Approvals({ run }: { run: Run }) {
  const waiting = run.steps.filter(({ status }) => status === 'awaiting_approval');
  const [pinned, setPinned] = useState<string>();
  const held = useHeldCalls().map(({ id }) => id);
  const first = waiting.find((step) => !held.includes(decidedOf(step)));
  const next = waiting.length === 0 ? undefined : (pinned ?? (first && tryOf(first)));
  useEffect(() => setPinned(next), [next]);
  return waiting.map((step) => (
    <DecideStep
      key={step.id}
      run={run}
      step={step}
      hasKeys={tryOf(step) === next}
      onChosen={() => setPinned(tryOf(step))}
      onHeld={() => setPinned(undefined)}
      onUndone={() => setPinned(tryOf(step))}
    />
  ));
}

/** The steps, as a graph and a list, with the details of the chosen one, which is part of the address. */
function Steps({ run }: { run: Run }) {
  const { step: wanted } = useSearch({ from: '/runs/$runId' });
  const navigate = useNavigate();
  const chosen = run.steps.find(({ key }) => key === wanted);
  const choose = (step: string) =>
    void navigate({ to: '/runs/$runId', params: { runId: run.workflow_run_id }, search: { step }, replace: true });
  return (
    <>
      <LazyGraph steps={stepsOfRun(run)} chosen={chosen?.key} onChoose={choose} />
      <StepList steps={run.steps} chosen={chosen?.key} onChoose={choose} />
      {chosen ? (
        <StepDetail key={chosen.key} run={run} step={chosen} />
      ) : (
        <p className={parts['small']}>Choose a step to see its attempts and what has come of it.</p>
      )}
    </>
  );
}

function RunFacts({ run }: { run: Run }) {
  const { data: workflow } = useQuery(workflowQuery(run.workflow_id));
  const facts = {
    Workflow: (
      <Link to="/workflows/$workflowId" params={{ workflowId: run.workflow_id }}>
        {workflow?.name ?? run.workflow_id}
      </Link>
    ),
    Version: run.workflow_version,
    Started: <Moment at={run.started_at} />,
    Expected: run.finished_at === null && <Moment at={run.estimated_completion} />,
    Paused: run.paused_at && <Moment at={run.paused_at} />,
    Finished: run.finished_at && <Moment at={run.finished_at} />,
    ID: <code>{run.workflow_run_id}</code>,
  };
  return (
    <aside aria-label="About the run">
      <Facts facts={facts} />
      {Object.keys(run.parameters).length > 0 && (
        <>
          <h2>Parameters</h2>
          <pre className={parts['code']} tabIndex={0}>
            {JSON.stringify(run.parameters, null, 2)}
          </pre>
        </>
      )}
    </aside>
  );
}
