import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { api, read } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { DecisionBar, Subject } from '../parts/decision.tsx';
import { TextArea } from '../parts/field.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeeing } from '../parts/use-seeing.ts';
import { FormNote } from '../resources/edit/form-note.tsx';
import type { Input } from '../resources/task-queries.ts';
import { useChange } from '../resources/use-change.ts';
import type { DetailProps } from './detail-props.ts';
import { FormFields } from './form-fields.tsx';
import { contentOf, type Form, keptValues, startOf } from './form-values.ts';
import inbox from './inbox.module.css';
import { firstLine } from './waiting-items.ts';

type Props = DetailProps & { input: Input; form: Form; head: ReactNode; children: ReactNode };

/** A form is sent at once, and errors are shown at its fields. `head`: the question. */
export function AnswerFields({ input, form, head, onHeld, children }: Props) {
  const { id } = input;
  const start = startOf(form);
  const [kept, setKept] = useDraft(`${id}:form`);
  const [comment, setComment] = useDraft(id);
  const values = keptValues(kept, start);
  const fields = useRef<HTMLDivElement>(null);
  const seeing = useSeeing(id);
  const isClosed = input.status !== 'pending';
  const client = useQueryClient();
  const { mutate, isPending, error } = useChange({
    resource: 'inputs',
    send: async () => {
      const body = { content: contentOf(form, values), ...(comment.trim() === '' ? {} : { comment }) };
      await read(api.POST('/v1/inputs/{input_id}/answer', { params: { path: { input_id: id } }, body }));
      // Chooses the next one from a list without this one.
      await client.invalidateQueries({ queryKey: ['inputs'] });
    },
    done: `Answered: ${firstLine(input.prompt)}`,
    onDone: () => {
      setKept('');
      setComment('');
      onHeld();
    },
  });
  const send = () => !isClosed && !isPending && seeing.whenSeen(() => mutate());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  useShortcuts([
    {
      keys: 'c',
      label: 'Fill in the form',
      run: () => fields.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(),
    },
  ]);
  return (
    <form
      className={inbox['form']}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && submit(event)}
    >
      <Subject seeing={seeing}>{head}</Subject>
      <div ref={fields} className={inbox['form']}>
        <FormFields
          form={form}
          values={values}
          errors={error ? asProblem(error).fields : {}}
          onChange={(next) => setKept(JSON.stringify(next))}
        />
        <TextArea
          label="Comment"
          hint="Optional; goes with the answer."
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
      </div>
      <FormNote error={error} />
      {children}
      <DecisionBar seeing={seeing}>
        <Button look="primary" type="submit" disabled={isClosed || isPending}>
          Send answer
        </Button>
      </DecisionBar>
    </form>
  );
}
