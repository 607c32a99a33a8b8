import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeen } from '../parts/use-seen.ts';
import { type Input, inputQuery } from '../resources/task-queries.ts';
import inbox from './inbox.module.css';
import { TaskContext } from './task-context.tsx';
import { useDecision } from './use-decision.ts';

type Answer = Schemas['AnswerInput'];

export function InputDetail({ id, onDone }: { id: string; onDone: () => void }) {
  const { data: input, error, refetch } = useQuery(inputQuery(id));
  const mayAnswer = useMay('tasks:write');
  if (!input) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <article className={inbox['detail']} aria-label="What was asked">
      <h2 className={styles['text']}>{input.prompt}</h2>
      <p className={styles['small']}>
        Asked <Moment at={input.created_at} />, expires <Moment at={input.expires_at} />
        {input.blocking ? '. The agent waits for the answer.' : '. The agent goes on meanwhile.'}
      </p>
      {input.status !== 'pending' && <Given input={input} />}
      {mayAnswer && <AnswerForm input={input} onDone={onDone} />}
      {!mayAnswer && <p>You need the scope tasks:write to answer.</p>}
      <TaskContext taskId={input.task_id} />
    </article>
  );
}

/** Somebody else was faster: their answer stands beside what was typed here. */
const Given = ({ input }: { input: Input }) => (
  <p role="status" className={styles['note']}>
    <strong>This is {input.status} already.</strong>
    {(input.answer ?? input.decision) && <span className={styles['text']}>{input.answer ?? input.decision}</span>}
    {input.comment && <span className={styles['text']}>{input.comment}</span>}
  </p>
);

function AnswerForm({ input, onDone }: { input: Input; onDone: () => void }) {
  const [text, setText] = useDraft(input.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const params = { path: { input_id: input.id } };
  const { mutate, isPending } = useDecision<Answer>(
    (body) => read(api.POST('/v1/inputs/{input_id}/answer', { params, body })),
    'Answered',
    () => {
      setText('');
      onDone();
    },
  );
  const isSeen = useSeen(input.id);
  const isClosed = isPending || input.status !== 'pending';
  const isQuestion = input.kind === 'question';
  const comment = text.trim() === '' || isQuestion ? {} : { comment: text };
  const choices = choicesOf(input).map((choice) => ({
    ...choice,
    run: () => !isClosed && mutate({ ...choice.answer, ...comment }),
  }));
  useShortcuts([
    ...(isSeen ? choices : []).map(({ keys, label, run }) => ({ keys, label: `Answer: ${label}`, run })),
    { keys: 'c', label: isQuestion ? 'Write the answer' : 'Write a comment', run: () => field.current?.focus() },
  ]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isClosed && isQuestion && text.trim() !== '') mutate({ answer: text });
  };
  return (
    <form onSubmit={send}>
      <TextArea
        ref={field}
        label={isQuestion ? 'Answer' : 'Comment'}
        hint={isQuestion ? 'Ctrl Enter sends it.' : 'Optional; goes with the decision.'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && send(event)}
      />
      {isQuestion && (
        <Button look="primary" type="submit" disabled={isClosed || text.trim() === ''}>
          Send answer
        </Button>
      )}
      <div className={inbox['options']}>
        {choices.map(({ keys, label, run }) => (
          <Button key={keys} shortcut={keys} isShortcutOff={!isSeen} disabled={isClosed} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
    </form>
  );
}

type Choice = { keys: string; label: string; answer: Answer };

function choicesOf({ kind, options }: Input): Choice[] {
  if (kind === 'approval')
    return [
      { keys: 'a', label: 'Approve', answer: { decision: 'approve' } },
      { keys: 'r', label: 'Reject', answer: { decision: 'reject' } },
    ];
  if (kind === 'question') return [];
  return options.map((option, at) => ({ keys: keyOf(at), label: option, answer: { answer: option } }));
}

/** 1 to 9, then capital letters. */
const keyOf = (at: number): string => (at < 9 ? String(at + 1) : String.fromCharCode(65 + at - 9));
