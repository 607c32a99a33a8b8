import { useQuery } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { useChange } from '../resources/use-change.ts';
import styles from './agents.module.css';
import { LocalRunnerList } from './local-runner-list.tsx';
import { localRunnersQuery } from './local-runner-queries.ts';

type Found = Schemas['FoundAgent'];

/** The coding agents that are installed where the service runs, each with a button, and those that were started. */
export function LocalAgents({ role }: { role: string }) {
  const { data, error, refetch } = useQuery(localRunnersQuery);
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  if (!data.available) return <NotHere />;
  const [installed, missing] = [data.agents.filter(({ found }) => found), data.agents.filter(({ found }) => !found)];
  return (
    <>
      <LocalRunnerList runners={data.runners} />
      <ul aria-label="Installed coding agents" className={styles['choices']}>
        {installed.map((agent) => (
          <Installed key={agent.preset} agent={agent} role={role} isChecking={data.checking} />
        ))}
      </ul>
      {data.agents.length === 0 && (
        <p role="status">
          {data.checking
            ? 'Looking for coding agents …'
            : 'Coding agents cannot be looked for: npm start says why in its terminal.'}
        </p>
      )}
      {missing.length > 0 && <Missing agents={missing} isNone={installed.length === 0} />}
    </>
  );
}

const NotHere = () => (
  <p className={parts['small']}>
    This service cannot start agents on its machine. One that is started by npm start can, on a loopback address or with
    LOCAL_RUNNERS=true.
  </p>
);

type InstalledProps = { agent: Found; role: string; isChecking: boolean };

function Installed({ agent, role, isChecking }: InstalledProps) {
  const { preset, title, version, problem } = agent;
  const start = useChange({
    resource: 'agents',
    send: () => read(api.POST('/v1/local-runners', { body: { preset, role, concurrency: 1 } })),
    done: `${title} is starting`,
  });
  const isUnknown = version === null && problem === null;
  return (
    <li className={styles['choice']}>
      <div>
        <strong>{title}</strong> <span className={parts['small']}>{version ?? ''}</span>
        <p className={parts['small']}>{agent.path}</p>
        {isUnknown && isChecking && <p className={parts['small']}>Checking whether it starts …</p>}
        {problem !== null && <p className={parts['warning']}>{problem}</p>}
        {start.error && <ProblemNote error={start.error} title="Not started" />}
      </div>
      <Button
        look="primary"
        disabled={start.isPending || role === ''}
        onClick={() => start.mutate()}
        aria-label={`Start on this machine: ${title}`}
      >
        Start on this machine
      </Button>
    </li>
  );
}

function Missing({ agents, isNone }: { agents: readonly Found[]; isNone: boolean }) {
  const names = agents.map(({ title }) => title).join(', ');
  return (
    <details open={isNone}>
      <summary>{isNone ? 'No coding agent is installed on this machine' : `Not installed: ${names}`}</summary>
      <ul className={styles['choices']}>
        {agents.map(({ preset, problem }) => (
          <li key={preset} className={parts['small']}>
            {problem}
          </li>
        ))}
      </ul>
    </details>
  );
}
