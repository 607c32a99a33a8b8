import { useQuery } from '@tanstack/react-query';
import { type FormEvent } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import log from '../resources/log.module.css';
import { fromLocalTime, toLocalTime } from '../resources/read-search.ts';
import { useChange } from '../resources/use-change.ts';
import type { DialogProps } from './integration-changes.tsx';
import { reconciliationQuery } from './integration-queries.ts';

const dayMs = 86_400_000;

export function AskReconcile({ opened, onClose, onStarted }: DialogProps & { onStarted: (id: string) => void }) {
  const params = { path: { integration_id: opened.value.id } };
  const { mutate, isPending, error } = useChange({
    resource: 'integrations',
    send: (body: Schemas['CreateReconciliation']) =>
      read(api.POST('/v1/integrations/{integration_id}/reconcile', { params, body })),
    done: 'Reconciliation started',
    onDone: ({ id }) => onStarted(id),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const since = fromLocalTime(String(form.get('since')));
    const until = fromLocalTime(String(form.get('until')));
    if (since !== undefined) mutate({ since, ...(until === undefined ? {} : { until }) });
  };
  return (
    <Modal title="Reconcile" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <p>
          Reads the tasks that the platform changed, and repairs what differs here: for example after webhooks were
          lost.
        </p>
        <TextField
          label="Changed since"
          name="since"
          type="datetime-local"
          defaultValue={toLocalTime(new Date(Date.now() - dayMs).toISOString())}
          required
        />
        <TextField label="Changed before" name="until" type="datetime-local" hint="Empty: until now." />
        {error && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          Reconcile
        </Button>
      </form>
    </Modal>
  );
}

export function ReconciliationProgress({ id }: { id: string }) {
  const { data, error } = useQuery(reconciliationQuery(id));
  const mayChange = useMay('integrations:write');
  const params = { path: { reconciliation_id: id } };
  const cancel = useChange({
    resource: 'integrations',
    send: () => read(api.POST('/v1/reconciliations/{reconciliation_id}/cancel', { params })),
    done: 'Reconciliation cancelled',
  });
  if (!data) return <NotRead error={error} />;
  const isRunning = data.status === 'running';
  return (
    <section aria-label="Reconciliation">
      <h2>Reconciliation</h2>
      <div className={parts['row']}>
        <Tag tone={data.status === 'failed' ? 'bad' : data.status === 'completed' ? 'good' : 'accent'}>
          {data.status}
        </Tag>
        <span role="status">
          {data.seen} read: {data.created} created, {data.updated} updated, {data.unchanged} unchanged, {data.failed}{' '}
          failed
        </span>
        {isRunning && mayChange && <Button onClick={() => cancel.mutate()}>Cancel the reconciliation</Button>}
      </div>
      {isRunning && <progress className={log['progress']} aria-label="Progress of the reconciliation" />}
      {data.last_error !== null && (
        <p className={parts['text']} dir="auto">
          {data.last_error}
        </p>
      )}
      {cancel.error && <ProblemNote error={cancel.error} />}
    </section>
  );
}
