import type { ReactNode } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { webhookQuery } from './webhook-queries.ts';
import type { Webhook } from './webhook-words.ts';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-webhook';

export type CreateWebhookProps = { onClose: () => void; onCreated: (webhook: Schemas['CreatedWebhook']) => void };

export function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  return (
    <CreateForm
      title="Create a webhook"
      verb="Create"
      start={newWebhook}
      resource="webhooks"
      {...{ draft, onClose }}
      bodyOf={newBodyOf}
      post={(body, header) => read(api.POST('/v1/webhooks', { body, params: { header } }))}
      done="Webhook created"
      onDone={onCreated}
    >
      {(texts, errors) => (
        <WebhookFields texts={texts} errors={errors}>
          <TextField
            label="Secret"
            name="secret"
            type="password"
            autoComplete="off"
            hint="Signs the deliveries. Empty: the service makes one and shows it once."
            error={errorOf(errors, 'secret')}
          />
          <TextArea
            label="Headers"
            name="headers"
            hint="One a line: Name: value. Values are not shown again."
            error={errorOf(errors, 'headers')}
          />
        </WebhookFields>
      )}
    </CreateForm>
  );
}

const labels = {
  url: 'Address',
  events: 'Events',
  description: 'Description',
  ordering: 'Order',
  max_per_second: 'Deliveries per second at most',
};

type WebhookTexts = Record<keyof typeof labels, string>;

const newWebhook: WebhookTexts = { url: '', events: '', description: '', ordering: 'none', max_per_second: '' };

const textsOf = (webhook: Webhook): WebhookTexts => ({
  url: webhook.url,
  events: webhook.events.join(', '),
  description: webhook.description ?? '',
  ordering: webhook.ordering,
  max_per_second: String(webhook.max_per_second ?? ''),
});

export function ChangeWebhook({ opened, onClose }: { opened: Versioned<Webhook>; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Change the webhook"
      resource="webhooks"
      opened={opened}
      query={webhookQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { webhook_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/webhooks/{webhook_id}', { params, body: bodyOf(form) }));
      }}
      done="Webhook changed"
      onClose={onClose}
    >
      {(webhook, errors) => (
        <WebhookFields texts={textsOf(webhook)} errors={errors}>
          <TextArea
            label="Headers to set"
            name="headers"
            hint={`One a line: Name: value; without a value it is removed. Set now: ${webhook.header_names.join(', ') || 'none'}.`}
            error={errorOf(errors, 'headers')}
          />
        </WebhookFields>
      )}
    </EditForm>
  );
}

type FieldsProps = { texts: WebhookTexts; errors: Texts; children: ReactNode };

function WebhookFields({ texts, errors, children }: FieldsProps) {
  const of = (name: keyof WebhookTexts) => ({
    name,
    label: labels[name],
    defaultValue: texts[name],
    error: errorOf(errors, name),
  });
  return (
    <>
      <TextField {...of('url')} type="url" required />
      <TextField
        {...of('events')}
        hint="Separated by commas: task.completed, workflow.* for a family, * for all."
        required
      />
      <TextField {...of('description')} />
      {children}
      <SelectField {...of('ordering')}>
        <option value="none">Any order</option>
        <option value="task">Events of a task in their order</option>
      </SelectField>
      <TextField {...of('max_per_second')} type="number" min={1} max={1000} hint="Empty: no limit." />
    </>
  );
}

function newBodyOf(form: FormData) {
  const secret = String(form.get('secret'));
  return { ...bodyOf(form), ...(secret === '' ? {} : { secret }) };
}

function bodyOf(form: FormData) {
  const textOf = (name: string) => textIn(form, name);
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
    // The API validates the events.
    events: events.map((event) => event.trim()).filter((event) => event !== '') as Schemas['Subscription'][],
    description: textOf('description') || null,
    ordering: textOf('ordering') === 'task' ? ('task' as const) : ('none' as const),
    max_per_second: textOf('max_per_second') === '' ? null : Number(textOf('max_per_second')),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) as Record<string, string> } : {}),
  };
}
