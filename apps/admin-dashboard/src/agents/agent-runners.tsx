import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import styles from './agents.module.css';
import { RunnerActions } from './runner-actions.tsx';
import { agentRunnersQuery } from './runner-queries.ts';
import { processOf, programOf, RunnerTag, runningOf } from './runner-words.tsx';

/** The processes that work for an agent. */
export function AgentRunners({ agentId }: { agentId: string }) {
  const { data } = useQuery(agentRunnersQuery(agentId));
  if (!data) return null;
  return (
    <section aria-label="Runners">
      <h2>Runners</h2>
      {data.data.length === 0 && (
        <p className={parts['small']}>None. A program that claims tasks by itself is not a runner.</p>
      )}
      <ul>
        {data.data.map((runner) => (
          <li key={runner.id} className={styles['runner']}>
            <span title={processOf(runner)} dir="auto">
              {runner.host} <RunnerTag {...runner} />
            </span>
            <span className={parts['small']}>
              {programOf(runner)}, eas {runner.version}, {runningOf(runner)} tasks, seen{' '}
              <Moment at={runner.last_seen_at} />
            </span>
            <RunnerActions runner={runner} />
          </li>
        ))}
      </ul>
      <Link to="/agents/runners" search={{ agent_id: agentId }} data-opens-page>
        All runners of this agent
      </Link>
    </section>
  );
}
