import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay, useSession } from '../api/session.ts';
import { progressEveryMs } from '../resources/replay/replay-progress.tsx';

type LocalRunners = Schemas['LocalRunners'];
export type LocalRunner = Schemas['LocalRunner'];

/** No event reports the end of a running process. */
const settledEveryMs = 10_000;
const isSettled = ({ checking, runners }: LocalRunners): boolean =>
  !checking && runners.every(({ state }) => state === 'running' || state === 'failed');

/** Below `agents`: events of agents invalidate it too. */
export const localRunnersQuery = queryOptions({
  queryKey: ['agents', 'local'],
  queryFn: ({ signal }) => read(api.GET('/v1/local-runners', { signal })),
  refetchInterval: ({ state }) => (state.data && isSettled(state.data) ? settledEveryMs : progressEveryMs),
});

/** Whether the person may start processes on the machine of the service: an administrator of the operator. */
export function useMayStartHere(): boolean {
  const isOperator = useSession().session?.is_operator ?? false;
  return useMay('admin') && isOperator;
}
