import styles from '../../parts/parts.module.css';
import type { Task } from '../task-queries.ts';
import { Artifacts } from './artifacts.tsx';
import { Requirements } from './requirements.tsx';

/** The requirements of a task and its results so far, for the person who decides. */
export function TaskResult({ task }: { task: Task }) {
  const { summary, result, contract } = task;
  return (
    <>
      {contract && <Requirements contract={contract} />}
      {summary && (
        <section aria-label="Summary">
          <h2>Summary</h2>
          <p className={styles['text']} dir="auto">
            {summary}
          </p>
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
      {task.artifacts.length > 0 && <Artifacts task={task} />}
    </>
  );
}
