import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import { Tag, type Tone } from '../parts/tag.tsx';
import { Ask } from '../resources/ask.tsx';
import { Code } from '../resources/log/code.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { useChange } from '../resources/use-change.ts';
import styles from './agents.module.css';
import { codingAgents } from './connect-agent.ts';
import type { LocalRunner } from './local-runner-queries.ts';

const tones: Readonly<Record<LocalRunner['state'], Tone>> = {
  starting: 'accent',
  running: 'good',
  failed: 'bad',
  stopping: 'none',
  stopped: 'none',
};

/** What runs on the machine of the service, and how it is. */
export const LocalRunnerList = ({ runners }: { runners: readonly LocalRunner[] }) =>
  runners.length > 0 && (
    <ul aria-label="Agents on this machine" className={styles['choices']}>
      {runners.map((runner) => (
        <Runner key={runner.agent_id} runner={runner} />
      ))}
    </ul>
  );

function Runner({ runner }: { runner: LocalRunner }) {
  const { agent_id: agentId, name, state, problem, log } = runner;
  const [isAsked, setIsAsked] = useState(false);
  const isLogShown = state !== 'running' && log.some((line) => line !== problem);
  return (
    <li className={styles['choice']}>
      <div>
        <Link to="/agents/$agentId" params={{ agentId }} data-opens-page dir="auto">
          {name}
        </Link>{' '}
        <Tag tone={tones[state]}>{state}</Tag>
        <p className={parts['small']}>
          {codingAgents[runner.preset]}, {runner.role}, since <Moment at={runner.since} />
        </p>
        {problem !== null && <p className={parts['error']}>{problem}</p>}
        {isLogShown && <Code label={`Log of ${name}`}>{log.join('\n')}</Code>}
      </div>
      <div className={parts['row']}>
        {state === 'failed' && <TryAgain agentId={agentId} />}
        <Button onClick={() => setIsAsked(true)} aria-label={`Stop ${name}`}>
          Stop
        </Button>
      </div>
      {isAsked && <AskStop runner={runner} onClose={() => setIsAsked(false)} />}
    </li>
  );
}

const paramsOf = (agentId: string) => ({ path: { agent_id: agentId } });

const TryAgain = ({ agentId }: { agentId: string }) => (
  <ChangeButton
    change={{
      resource: 'agents',
      send: () => read(api.POST('/v1/local-runners/{agent_id}/retry', { params: paramsOf(agentId) })),
    }}
    failed="Not tried again"
  >
    Try again
  </ChangeButton>
);

function AskStop({ runner: { agent_id: agentId, name }, onClose }: { runner: LocalRunner; onClose: () => void }) {
  const change = useChange({
    resource: 'agents',
    send: () => read(api.DELETE('/v1/local-runners/{agent_id}', { params: paramsOf(agentId) })),
    done: `${name} has stopped`,
    onDone: onClose,
  });
  return (
    <Ask title={`Stop ${name}?`} verb="Stop the runner" change={change} onClose={onClose}>
      Its process ends and its key is revoked. A task that it works on is given back, so that others can claim it. The
      agent stays with its history.
    </Ask>
  );
}
