import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Ask } from '../resources/ask.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { useChange } from '../resources/use-change.ts';
import type { Runner } from './runner-queries.ts';

/** An online runner can be drained, an offline one removed. */
export function RunnerActions({ runner }: { runner: Runner }) {
  const mayChange = useMay('agents:write');
  if (!mayChange) return null;
  if (runner.presence === 'offline') return <Remove runner={runner} />;
  return runner.draining ? null : <Drain runner={runner} />;
}

type Props = { runner: Runner };

const paramsOf = (id: string) => ({ path: { runner_id: id } });

function Drain({ runner: { id, host } }: Props) {
  const [isAsked, setIsAsked] = useState(false);
  const change = useChange({
    resource: 'agents',
    send: () => read(api.POST('/v1/runners/{runner_id}/drain', { params: paramsOf(id) })),
    done: 'The runner ends when it has finished its tasks',
    onDone: () => setIsAsked(false),
  });
  return (
    <>
      <Button aria-label={`Drain the runner on ${host}`} onClick={() => setIsAsked(true)}>
        Drain
      </Button>
      {isAsked && (
        <Ask title="Drain this runner?" verb="Drain the runner" change={change} onClose={() => setIsAsked(false)}>
          Within half a minute it claims nothing more. It finishes the tasks that it works on, and ends. Other runners
          of its agent go on. To start it again, somebody has to do so on {host}.
        </Ask>
      )}
    </>
  );
}

const Remove = ({ runner: { id, host } }: Props) => (
  <ChangeButton
    aria-label={`Remove the runner on ${host}`}
    change={{
      resource: 'agents',
      send: () => read(api.DELETE('/v1/runners/{runner_id}', { params: paramsOf(id) })),
      done: 'Runner removed',
    }}
    failed="Not removed"
  >
    Remove
  </ChangeButton>
);
