import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { DraftArea, DraftText, forgetDrafts } from '../work/draft-fields.tsx';
import { EditForm } from '../work/edit/edit-form.tsx';
import { errorOf, type Texts } from '../work/edit/versions.ts';
import { useChange } from '../work/use-change.ts';
import { webhookQuery } from './webhook-queries.ts';
import type { Webhook } from './webhook-words.ts';

const draft = 'new-webhook';
const eventsHint = 'Separated by commas: task.completed, workflow.* for a family, * for all.';

const fieldsOf = (error: unknown): Texts => (error ? asProblem(error).fields : {});

export type CreateWebhookProps = { onClose: () => void; onCreated: (webhook: Schemas['CreatedWebhook']) => void };

export function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  const once = useOnce();
  const { mutate, isPending, error } = useChange({
    resource: 'webhooks',
    send: (body: Schemas['CreateWebhook']) =>
      once((header) => read(api.POST('/v1/webhooks', { body, params: { header } }))),
    done: 'Webhook created',
    onDone: (webhook) => {
      forgetDrafts(draft);
      onCreated(webhook);
    },
  });
  const fields = fieldsOf(error);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const secret = String(form.get('secret'));
    mutate({ ...bodyOf(form), ...(secret === '' ? {} : { secret }) });
  };
  return (
    <Modal title="Create a webhook" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <DraftText draft={draft} label="Address" name="url" type="url" error={errorOf(fields, 'url')} required />
        <DraftText
          draft={draft}
          label="Events"
          name="events"
          hint={eventsHint}
          error={errorOf(fields, 'events')}
          required
        />
        <DraftText draft={draft} label="Description" name="description" error={errorOf(fields, 'description')} />
        <TextField
          label="Secret"
          name="secret"
          type="password"
          autoComplete="off"
          hint="Signs the deliveries. Empty: the service makes one and shows it once."
          error={errorOf(fields, 'secret')}
        />
        <DraftArea
          draft={draft}
          label="Headers"
          name="headers"
          hint="One a line: Name: value. Values are not shown again."
          error={errorOf(fields, 'headers')}
        />
        <Sending fields={fields} />
        {error && Object.keys(fields).length === 0 && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          Create
        </Button>
      </form>
    </Modal>
  );
}

function Sending({ fields, webhook }: { fields: Texts; webhook?: Webhook }) {
  return (
    <>
      <SelectField label="Order" name="ordering" defaultValue={webhook?.ordering ?? 'none'}>
        <option value="none">Any order</option>
        <option value="task">Events of a task in their order</option>
      </SelectField>
      <TextField
        label="Deliveries per second at most"
        name="max_per_second"
        type="number"
        min={1}
        max={1000}
        defaultValue={webhook?.max_per_second ?? ''}
        hint="Empty: no limit."
        error={errorOf(fields, 'max_per_second')}
      />
    </>
  );
}

const labels = {
  url: 'Address',
  events: 'Events',
  description: 'Description',
  ordering: 'Order',
  max_per_second: 'Deliveries per second at most',
};

const textsOf = (webhook: Webhook) => ({
  url: webhook.url,
  events: webhook.events.join(', '),
  description: webhook.description ?? '',
  ordering: webhook.ordering,
  max_per_second: String(webhook.max_per_second ?? ''),
});

export function ChangeWebhook({ opened, onClose }: { opened: Versioned<Webhook>; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = opened.value;
  return (
    <EditForm
      title="Change the webhook"
      resource="webhooks"
      opened={opened}
      readNow={() => client.fetchQuery({ ...webhookQuery(id), staleTime: 0 })}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { webhook_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/webhooks/{webhook_id}', { params, body: bodyOf(form) }));
      }}
      done="Webhook changed"
      onClose={onClose}
    >
      {(webhook, errors) => <WebhookFields webhook={webhook} fields={errors} />}
    </EditForm>
  );
}

const WebhookFields = ({ webhook, fields }: { webhook: Webhook; fields: Texts }) => (
  <>
    <TextField
      label="Address"
      name="url"
      type="url"
      defaultValue={webhook.url}
      error={errorOf(fields, 'url')}
      required
    />
    <TextField
      label="Events"
      name="events"
      defaultValue={webhook.events.join(', ')}
      hint={eventsHint}
      error={errorOf(fields, 'events')}
      required
    />
    <TextField
      label="Description"
      name="description"
      defaultValue={webhook.description ?? ''}
      error={errorOf(fields, 'description')}
    />
    <TextArea
      label="Headers to set"
      name="headers"
      hint={`One a line: Name: value; without a value it is removed. Set now: ${webhook.header_names.join(', ') || 'none'}.`}
      error={errorOf(fields, 'headers')}
    />
    <Sending fields={fields} webhook={webhook} />
  </>
);

function bodyOf(form: FormData) {
  const textOf = (name: string) => String(form.get(name) ?? '').trim();
  const events = textOf('events').split(',');
  const lines = textOf('headers').split('\n');
  const headers = lines
    .filter((line) => line.trim() !== '')
    .map((line): [string, string | null] => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim() || null];
    });
  return {
    url: textOf('url'),
    // The API says which events it knows.
    events: events.map((event) => event.trim()).filter((event) => event !== '') as Schemas['Subscription'][],
    description: textOf('description') || null,
    ordering: textOf('ordering') === 'task' ? ('task' as const) : ('none' as const),
    max_per_second: textOf('max_per_second') === '' ? null : Number(textOf('max_per_second')),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) as Record<string, string> } : {}),
  };
}
