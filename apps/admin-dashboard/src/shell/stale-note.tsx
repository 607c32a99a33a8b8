import { notifyManager, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useConnection } from '../live/connection.ts';
import { ProblemNote } from '../parts/notes.tsx';

/** Reports that the page cannot reload its data and shows older data; typed text stays. */
export function StaleNote() {
  const client = useQueryClient();
  const connection = useConnection();
  const error = useSyncExternalStore(
    (onChange) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    () => failedReads(client)[0]?.state.error,
  );
  useEffect(() => {
    if (connection === 'live') readAgain(client);
  }, [client, connection]);
  // A lost connection is reported elsewhere.
  if (!error || connection === 'lost') return null;
  return <ProblemNote title="What you see may be out of date" error={error} onRetry={() => readAgain(client)} />;
}

/** A query with older data. */
const failedReads = (client: QueryClient): Query[] =>
  client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && query.state.status === 'error' && query.state.data !== undefined);

function readAgain(client: QueryClient): void {
  failedReads(client).forEach((query) => void query.fetch().catch(() => {}));
}
