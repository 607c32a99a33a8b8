import { api, read, type Schemas } from '../api/client.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { NameField } from '../resources/names/name-choice.tsx';
import { senderNames } from '../resources/names/sources.ts';
import { fromLocalTime, oneOf, toLocalTime } from '../resources/read-search.ts';
import { CountedReplay, PaceField, paceOf } from '../resources/replay/counted-replay.tsx';
import { unsigned } from './inbound-filters.tsx';
import type { InboundFilters } from './inbound-search.ts';
import { replayableStates } from './inbound-words.ts';
import { textIn } from '../resources/edit/text-in.ts';

type Body = Schemas['CreateInboundReplay'];

export type ReplayInboundProps = {
  /** Of the list: what the fields begin with. */
  filters: InboundFilters;
  onStarted: (id: string) => void;
  onClose: () => void;
};

export const ReplayInbound = ({ filters, onStarted, onClose }: ReplayInboundProps) => (
  <CountedReplay
    title="Replay received webhooks"
    resource="inbound"
    things="received webhooks"
    verb="Apply them again"
    bodyOf={bodyOf}
    count={(body) => read(api.POST('/v1/inbound-events/replays', { body: { ...body, dry_run: true } }))}
    start={(body, key) =>
      read(api.POST('/v1/inbound-events/replays', { body, params: { header: { 'Idempotency-Key': key } } }))
    }
    onStarted={(replay) => 'id' in replay && onStarted(replay.id)}
    onClose={onClose}
  >
    <ReplayFields filters={filters} />
  </CountedReplay>
);

function ReplayFields({ filters }: { filters: InboundFilters }) {
  return (
    <>
      <p>What is older than the present state of a task changes nothing. Those without a body are skipped.</p>
      <SelectField label="State" name="state" defaultValue={oneOf(replayableStates, filters.state) ?? 'failed'}>
        {replayableStates.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </SelectField>
      <NameField
        source={senderNames}
        label="Integration"
        name="integration_id"
        first={filters.integration_id ?? ''}
        none="Any"
        others={unsigned}
      />
      <TextField label="Event" name="event" defaultValue={filters.event ?? ''} hint="Empty: all." />
      <TextField label="ID at the sender" name="external_id" defaultValue={filters.external_id ?? ''} />
      <TextField
        label="From"
        name="received_after"
        type="datetime-local"
        defaultValue={toLocalTime(filters.received_after)}
      />
      <TextField
        label="To"
        name="received_before"
        type="datetime-local"
        defaultValue={toLocalTime(filters.received_before)}
        hint="Empty: until now."
      />
      <PaceField things="Received webhooks" max={500} />
    </>
  );
}

function bodyOf(form: FormData): Body {
  const textOf = (name: string) => textIn(form, name) || null;
  return {
    max_per_second: paceOf(form),
    filter: {
      state: oneOf(replayableStates, textOf('state') ?? undefined) ?? null,
      integration_id: textOf('integration_id'),
      event: textOf('event'),
      external_id: textOf('external_id'),
      received_after: fromLocalTime(textOf('received_after') ?? '') ?? null,
      received_before: fromLocalTime(textOf('received_before') ?? '') ?? null,
    },
  };
}
