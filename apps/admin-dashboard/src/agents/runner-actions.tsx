import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { AskButton } from '../resources/ask.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
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

const Drain = ({ runner: { id, host } }: Props) => (
  <AskButton
    button={{ 'aria-label': `Drain the runner on ${host}`, children: 'Drain' }}
    title="Drain this runner?"
    verb="Drain the runner"
    change={{
      resource: 'agents',
      send: () => read(api.POST('/v1/runners/{runner_id}/drain', { params: paramsOf(id) })),
      done: 'The runner ends when it has finished its tasks',
    }}
  >
    Within half a minute it claims nothing more. It finishes the tasks that it works on, and ends. Other runners of its
    agent go on. To start it again, somebody has to do so on {host}.
  </AskButton>
);

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
