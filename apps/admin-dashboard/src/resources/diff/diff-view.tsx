import { type ReactNode, useMemo, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import parts from '../../parts/parts.module.css';
import { type DiffLine, diffLines } from './diff-lines.ts';
import styles from './diff.module.css';

type DiffProps = {
  diff: Schemas['SessionDiff'];
  /** The form for a comment on a line; without it lines have no comments. */
  commentOn?: ((line: DiffLine, close: () => void) => ReactNode) | undefined;
};

const signs = { same: ' ', added: '+', removed: '-' } as const;

/** The changes of a file. */
export function DiffView({ diff: { path, old_text: oldText, new_text: newText }, commentOn }: DiffProps) {
  const hunks = useMemo(() => diffLines(oldText, newText), [oldText, newText]);
  const [chosen, setChosen] = useState<DiffLine>();
  return (
    <div>
      <p className={parts['small']}>
        <bdi>{path}</bdi>
      </p>
      <div className={styles['diff']} role="group" tabIndex={0} aria-label={`Changes of ${path}`}>
        {hunks.map((lines, hunk) => (
          <ol key={hunk} className={styles['hunk']}>
            {lines.map((line, at) => (
              <li key={at} className={styles['line']} data-kind={line.kind}>
                {commentOn === undefined ? (
                  <span className={styles['number']}>{line.number}</span>
                ) : (
                  <button
                    type="button"
                    className={styles['number']}
                    title="Comment on this line"
                    aria-label={`Comment on line ${line.number}${line.kind === 'removed' ? ', removed' : ''}`}
                    onClick={() => setChosen(line)}
                  >
                    {line.number}
                  </button>
                )}
                <code>
                  {signs[line.kind]}
                  {line.text}
                </code>
              </li>
            ))}
          </ol>
        ))}
      </div>
      {chosen && commentOn?.(chosen, () => setChosen(undefined))}
    </div>
  );
}
