import { useState } from 'react';
import { api, read, type Schemas } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import styles from '../../parts/parts.module.css';
import { SafeLink } from '../../parts/safe-link.tsx';
import { Tag } from '../../parts/tag.tsx';
import type { Task } from '../task-queries.ts';
import { type CursorPage, useCursorPages } from '../use-cursor-pages.ts';
import results from './results.module.css';

type Artifact = Schemas['Artifact'];

/** The newest artifacts, which are part of the task; older ones are read on request. */
export function Artifacts({ task: { id, artifacts, artifacts_truncated: isCut } }: { task: Task }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section aria-label="Artifacts">
      <h2>Artifacts</h2>
      {isCut && !showsAll && (
        <p className={styles['row']}>
          The newest {artifacts.length} are shown.
          <Button onClick={() => setShowsAll(true)}>Show all artifacts</Button>
        </p>
      )}
      {isCut && showsAll ? <AllArtifacts taskId={id} /> : <ArtifactList artifacts={artifacts} />}
    </section>
  );
}

function AllArtifacts({ taskId }: { taskId: string }) {
  const { rows, hasMore, isReading, error, readOn, refetch } = useCursorPages<Artifact>({
    queryKey: ['tasks', 'artifacts', taskId],
    read: async (after, signal) => {
      const params = { path: { task_id: taskId }, query: { after, limit: 100, sort: 'created_at' as const } };
      return (await read(api.GET('/v1/tasks/{task_id}/artifacts', { params, signal }))) as CursorPage<Artifact>;
    },
  });
  return (
    <>
      {error ? <ProblemNote error={error} onRetry={refetch} /> : undefined}
      <ArtifactList artifacts={rows} />
      {hasMore && (
        <Button disabled={isReading} onClick={readOn}>
          Show more artifacts
        </Button>
      )}
    </>
  );
}

const ArtifactList = ({ artifacts }: { artifacts: readonly Artifact[] }) => (
  <ul>
    {artifacts.map((artifact) => (
      <li key={artifact.id} className={results['artifact']}>
        <ArtifactLine artifact={artifact} />
      </li>
    ))}
  </ul>
);

const ArtifactLine = ({ artifact: { id, kind, title, url, sha, data } }: { artifact: Artifact }) => (
  <>
    <p className={styles['row']}>
      <Tag>{kind.replaceAll('_', ' ')}</Tag>
      {url ? (
        <SafeLink url={url}>{title ?? url}</SafeLink>
      ) : (
        <span className={styles['text']} dir="auto">
          {title ?? (sha === null ? id : '')}
        </span>
      )}
      {sha !== null && (
        <code className={styles['text']} dir="auto">
          {sha}
        </code>
      )}
    </p>
    {data && (
      <details>
        <summary>Data of {title ?? url ?? sha ?? id}</summary>
        <pre className={styles['code']} tabIndex={0} aria-label={`Data of ${title ?? url ?? sha ?? id}`}>
          {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    )}
  </>
);
