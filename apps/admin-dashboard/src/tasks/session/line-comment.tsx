import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import parts from '../../parts/parts.module.css';
import type { DiffLine } from '../../resources/diff/diff-lines.ts';
import { useMessage } from '../use-message.ts';
import styles from './session.module.css';

type CommentProps = { taskId: string; path: string; line: DiffLine; onClose: () => void };

/** A comment on a line; the agent gets it as a message with the line. */
export function LineComment({ taskId, path, line, onClose }: CommentProps) {
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
