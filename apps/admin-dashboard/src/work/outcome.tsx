import { Tag } from '../parts/tag.tsx';
import styles from '../parts/parts.module.css';
import { SafeLink } from '../parts/safe-link.tsx';
import type { Task } from './task-queries.ts';

/** What the work has come to so far: what a person who decides has to see. */
export function Outcome({ task: { summary, result, artifacts } }: { task: Task }) {
  return (
    <>
      {summary && (
        <section aria-label="Summary">
          <h2>Summary</h2>
          <p className={styles['text']}>{summary}</p>
        </section>
      )}
      {result && (
        <section aria-label="Result">
          <h2>Result</h2>
          <pre className={styles['code']} tabIndex={0}>
            {JSON.stringify(result, null, 2)}
          </pre>
        </section>
      )}
      {artifacts.length > 0 && (
        <section aria-label="Artifacts">
          <h2>Artifacts</h2>
          <ul>
            {artifacts.map((artifact) => (
              <li key={artifact.id} className={styles['row']}>
                <Tag>{artifact.kind.replace('_', ' ')}</Tag>
                {artifact.url ? (
                  <SafeLink url={artifact.url}>{artifact.title ?? artifact.url}</SafeLink>
                ) : (
                  <span className={styles['text']}>{artifact.title ?? artifact.sha ?? artifact.id}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
