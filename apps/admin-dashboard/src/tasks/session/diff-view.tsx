import { useMemo, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import parts from '../../parts/parts.module.css';
import { useMessage } from '../use-message.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';
import styles from './session.module.css';

type DiffProps = { diff: Schemas['SessionDiff']; writesTo: string | undefined };

const signs = { same: ' ', added: '+', removed: '-' } as const;

/** What a tool changed in a file. Each line can be commented on, where there is a task to write to. */
export function DiffView({ diff: { path, old_text: oldText, new_text: newText }, writesTo }: DiffProps) {
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
                {writesTo === undefined ? (
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
      {chosen && writesTo !== undefined && (
        <LineComment {...{ taskId: writesTo, path, line: chosen }} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
}

type CommentProps = { taskId: string; path: string; line: DiffLine; onClose: () => void };

/** What a person says of a line; the agent gets it as a message with the line. */
function LineComment({ taskId, path, line, onClose }: CommentProps) {
  const [text, setText] = useState('');
  const content = `${path}:${line.number}\n> ${line.text}\n\n${text.trim()}`;
  const message = useMessage(taskId, content, onClose);
  return (
    <div className={styles['comment']}>
      <TextArea
        autoFocus
        label={`Comment on line ${line.number} of ${path}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {message.error && <ProblemNote error={message.error} />}
      <div className={parts['row']}>
        <Button look="primary" disabled={text.trim() === '' || message.isPending} onClick={() => message.mutate()}>
          Message the agent
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}
