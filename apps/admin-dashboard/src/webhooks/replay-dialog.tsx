import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { fromLocalTime } from '../work/read-search.ts';
import { useChange } from '../work/use-change.ts';
import { deliveryStatuses } from './webhook-words.ts';

type Body = Schemas['CreateReplay'];

/** Counts first; what was counted can then be sent. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const [counted, setCounted] = useState<{ body: Body; total: number; key: string }>();
  const params = { path: { webhook_id: webhookId } };
  const count = useChange({
    resource: 'webhooks',
    send: async (body: Body) => {
      const preview = await read(
        api.POST('/v1/webhooks/{webhook_id}/replays', { params, body: { ...body, dry_run: true } }),
      );
      return { body, total: preview.total, key: crypto.randomUUID() };
    },
    onDone: setCounted,
  });
  const start = useChange({
    resource: 'webhooks',
    send: ({ body, key }: { body: Body; key: string }) =>
      read(
        api.POST('/v1/webhooks/{webhook_id}/replays', {
          params: { ...params, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    done: 'Replay started',
    onDone: onClose,
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    count.mutate(bodyOf(new FormData(event.currentTarget)));
  };
  const error = count.error ?? start.error;
  return (
    <Modal title="Replay deliveries" isOpen onClose={onClose}>
      <form onSubmit={send} onChange={() => setCounted(undefined)}>
        <ReplayFields />
        {error && <ProblemNote error={error} />}
        <div className={parts['row']}>
          <Button type="submit" disabled={count.isPending}>
            Count
          </Button>
          {counted && (
            <>
              <span role="status">{counted.total} deliveries match.</span>
              <Button
                look="primary"
                disabled={start.isPending || counted.total === 0}
                onClick={() => start.mutate(counted)}
              >
                Send them again
              </Button>
            </>
          )}
        </div>
      </form>
    </Modal>
  );
}

const ReplayFields = () => (
  <>
    <fieldset>
      <legend>Statuses</legend>
      <div className={parts['row']}>
        {deliveryStatuses.map((status) => (
          <label key={status}>
            <input type="checkbox" name="statuses" value={status} defaultChecked={status === 'dead'} /> {status}
          </label>
        ))}
      </div>
    </fieldset>
    <TextField label="Events" name="event_types" hint="Separated by commas, such as task.*. Empty: all." />
    <TextField label="From" name="from" type="datetime-local" />
    <TextField label="To" name="to" type="datetime-local" hint="Empty: until now." />
    <TextField
      label="Deliveries per second at most"
      name="max_per_second"
      type="number"
      min={1}
      max={1000}
      defaultValue={50}
    />
  </>
);

function bodyOf(form: FormData): Body {
  const textOf = (name: string) => String(form.get(name) ?? '').trim();
  const types = textOf('event_types').split(',');
  const eventTypes = types.map((type) => type.trim()).filter((type) => type !== '') as Schemas['Subscription'][];
  const statuses = deliveryStatuses.filter((status) => form.getAll('statuses').includes(status));
  return {
    max_per_second: Number(textOf('max_per_second')) || 50,
    filter: {
      statuses: statuses.length > 0 ? statuses : null,
      event_types: eventTypes.length > 0 ? eventTypes : null,
      from: fromLocalTime(textOf('from')) ?? null,
      to: fromLocalTime(textOf('to')) ?? null,
    },
  };
}
