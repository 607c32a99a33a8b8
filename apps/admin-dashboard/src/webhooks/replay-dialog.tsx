import { api, read, type Schemas } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import { fromLocalTime } from '../resources/read-search.ts';
import { CountedReplay, PaceField, paceOf } from '../resources/replay/counted-replay.tsx';
import { deliveryStatuses } from './webhook-words.ts';
import { textIn } from '../resources/edit/text-in.ts';

type Body = Schemas['CreateReplay'];

export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const send = (body: Body, header: { 'Idempotency-Key'?: string }) => {
    const params = { path: { webhook_id: webhookId }, header };
    return read(api.POST('/v1/webhooks/{webhook_id}/replays', { params, body }));
  };
  return (
    <CountedReplay
      title="Replay deliveries"
      resource="webhooks"
      things="deliveries"
      verb="Send them again"
      bodyOf={bodyOf}
      count={(body) => send({ ...body, dry_run: true }, {})}
      start={(body, key) => send(body, { 'Idempotency-Key': key })}
      onStarted={onClose}
      onClose={onClose}
    >
      <ReplayFields />
    </CountedReplay>
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
    <PaceField things="Deliveries" max={1000} />
  </>
);

function bodyOf(form: FormData): Body {
  const textOf = (name: string) => textIn(form, name);
  const types = textOf('event_types').split(',');
  const eventTypes = types.map((type) => type.trim()).filter((type) => type !== '') as Schemas['Subscription'][];
  const statuses = deliveryStatuses.filter((status) => form.getAll('statuses').includes(status));
  return {
    max_per_second: paceOf(form),
    filter: {
      statuses: statuses.length > 0 ? statuses : null,
      event_types: eventTypes.length > 0 ? eventTypes : null,
      from: fromLocalTime(textOf('from')) ?? null,
      to: fromLocalTime(textOf('to')) ?? null,
    },
  };
}
