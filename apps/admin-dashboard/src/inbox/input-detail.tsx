import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { useIsHeld } from '../api/held-calls.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { DecisionBar, HeldNote, Subject } from '../parts/decision.tsx';
import { TextArea } from '../parts/field.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeeing } from '../parts/use-seeing.ts';
import { answerTextOf } from '../resources/deciding/answer-text.ts';
import { AnsweredBy } from '../resources/names/answered-by.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { type Input, inputQuery } from '../resources/task-queries.ts';
import { useDecision } from '../resources/deciding/use-decision.ts';
import { AnswerFields } from './answer-form.tsx';
import type { DetailProps } from './detail-props.ts';
import inbox from './inbox.module.css';
import { PermissionView } from './permission-view.tsx';
import { TaskContext } from './task-context.tsx';
import { firstLine } from './waiting-items.ts';

type Answer = Schemas['AnswerInput'];

export function InputDetail(props: DetailProps) {
  const { id } = props;
  const { data: input, error, refetch } = useQuery(inputQuery(id));
  const mayAnswer = useMay('tasks:write');
  const isHeld = useIsHeld(id);
  if (!input) return <NotRead error={error} onRetry={() => void refetch()} />;
  const context = <TaskContext taskId={input.task_id} />;
  return (
    <article className={inbox['detail']} aria-label="What was asked">
      {mayAnswer && !isHeld && input.form ? (
        <AnswerFields
          {...props}
          input={input}
          form={input.form}
          head={
            <>
              <Question input={input} />
              <Given input={input} />
            </>
          }
        >
          {context}
        </AnswerFields>
      ) : mayAnswer && !isHeld ? (
        <AnswerForm input={input} {...props}>
          {context}
        </AnswerForm>
      ) : (
        <>
          <Question input={input} />
          {isHeld ? <HeldNote /> : <Given input={input} />}
          {!mayAnswer && <p>You need the scope tasks:write to answer.</p>}
          {context}
        </>
      )}
    </article>
  );
}

const Question = ({ input }: { input: Input }) => (
  <>
    <h2 className={styles['text']} dir="auto">
      {input.prompt}
    </h2>
    <p className={styles['small']}>
      Asked by <Actor id={input.agent_id} /> <Moment at={input.created_at} />, expires <Moment at={input.expires_at} />
      {input.blocking ? '. The agent waits for the answer.' : '. The agent goes on meanwhile.'}
    </p>
    {input.permission && <PermissionView permission={input.permission} />}
  </>
);

/** Another person was faster: their answer is shown next to what was typed here. */
const Given = ({ input }: { input: Input }) =>
  input.status !== 'pending' && (
    <p role="status" className={styles['note']}>
      <strong>This is {input.status} already.</strong>
      {input.answered_by !== null && (
        <span>
          By <AnsweredBy {...input} />.
        </span>
      )}
      <span className={styles['text']} dir="auto">
        {answerTextOf(input)}
      </span>
      {input.comment && (
        <span className={styles['text']} dir="auto">
          {input.comment}
        </span>
      )}
    </p>
  );

type AnswerFormProps = DetailProps & { input: Input; children: ReactNode };

function AnswerForm({ input, onHeld, onUndone, children }: AnswerFormProps) {
  const [text, setText] = useDraft(input.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const seeing = useSeeing(input.id);
  const decide = useDecision({ id: input.id, name: firstLine(input.prompt), draft: input.id, onHeld, onUndone });
  const isClosed = input.status !== 'pending';
  const isQuestion = input.kind === 'question';
  const params = { path: { input_id: input.id } };
  const answer = (done: string, body: Answer) =>
    !isClosed &&
    seeing.whenSeen(() =>
      decide(done, body, (call) => read(api.POST('/v1/inputs/{input_id}/answer', { params, ...call }))),
    );
  const comment = text.trim() === '' ? {} : { comment: text };
  const choices = choicesOf(input).map((choice) => ({
    ...choice,
    run: () => answer(choice.done, { ...choice.answer, ...comment }),
  }));
  useShortcuts([
    ...choices.map(({ keys, label, run }) => ({ keys, label: `Answer: ${label}`, run })),
    { keys: 'c', label: isQuestion ? 'Write the answer' : 'Write a comment', run: () => field.current?.focus() },
  ]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isQuestion && text.trim() !== '') answer('Answered', { answer: text });
  };
  return (
    <form className={inbox['form']} onSubmit={send}>
      <Subject seeing={seeing}>
        <Question input={input} />
      </Subject>
      <Given input={input} />
      <TextArea
        ref={field}
        label={isQuestion ? 'Answer' : 'Comment'}
        hint={isQuestion ? 'Ctrl Enter sends it.' : 'Optional; goes with the decision.'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && send(event)}
      />
      {children}
      <DecisionBar seeing={seeing}>
        {isQuestion && (
          <Button look="primary" type="submit" disabled={isClosed || text.trim() === ''}>
            Send answer
          </Button>
        )}
        {choices.length > 0 && (
          <div className={inbox['options']}>
            {choices.map((choice) => (
              <Button
                key={choice.keys}
                shortcut={choice.keys}
                isShortcutOff={!seeing.isSeen}
                disabled={isClosed}
                onClick={choice.run}
              >
                {choice.label}
              </Button>
            ))}
          </div>
        )}
      </DecisionBar>
    </form>
  );
}

type Choice = { keys: string; label: string; answer: Answer; /** As people read it afterwards. */ done: string };

function choicesOf({ kind, options }: Input): Choice[] {
  if (kind === 'approval')
    return [
      { keys: 'a', label: 'Approve', answer: { decision: 'approve' }, done: 'Approved' },
      { keys: 'r', label: 'Reject', answer: { decision: 'reject' }, done: 'Rejected' },
    ];
  if (kind === 'permission')
    return [
      { keys: 'a', label: 'Allow once', answer: { decision: 'allow_once' }, done: 'Allowed once' },
      { keys: 't', label: 'Always for this task', answer: { decision: 'allow_always' }, done: 'Allowed for the task' },
      { keys: 'r', label: 'Reject', answer: { decision: 'reject' }, done: 'Rejected' },
    ];
  if (kind === 'question') return [];
  return options.map((option, at) => ({
    keys: keyOf(at),
    label: option,
    answer: { answer: option },
    done: `Answered ${firstLine(option)}`,
  }));
}

/** 1 to 9, then capital letters. */
const keyOf = (at: number): string => (at < 9 ? String(at + 1) : String.fromCharCode(65 + at - 9));
