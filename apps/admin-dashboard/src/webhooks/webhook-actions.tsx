import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { AskButton } from '../resources/ask.tsx';
import { SecretShown } from '../resources/copy-text.tsx';
import { useChange } from '../resources/use-change.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { ChangeWebhook } from './webhook-form.tsx';
import { type EventType, eventTypes, type Webhook } from './webhook-words.ts';

type Asked = 'test' | 'replay' | 'change' | 'rotate';

export function WebhookActions({ opened }: { opened: Versioned<Webhook> }) {
  const webhook = opened.value;
  const [asked, setAsked] = useState<Asked>();
  const navigate = useNavigate();
  const close = () => setAsked(undefined);
  const params = { path: { webhook_id: webhook.id } };
  const enable = useChange({
    resource: 'webhooks',
    send: () => read(api.POST('/v1/webhooks/{webhook_id}/enable', { params })),
    done: 'Webhook enabled',
  });
  const isEnabled = webhook.status === 'active' || webhook.status === 'failing';
  return (
    <>
      <Button onClick={() => setAsked('test')}>Send a test event</Button>
      <Button onClick={() => setAsked('replay')}>Replay</Button>
      <Button onClick={() => setAsked('change')}>Change</Button>
      <Button onClick={() => setAsked('rotate')}>Rotate the secret</Button>
      {!isEnabled && (
        <Button disabled={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <AskButton
        button={{ children: 'Disable' }}
        isOffered={webhook.status !== 'disabled'}
        title="Disable this webhook?"
        verb="Disable the webhook"
        isDangerous
        change={{
          resource: 'webhooks',
          send: () => read(api.POST('/v1/webhooks/{webhook_id}/disable', { params })),
          done: 'Webhook disabled',
        }}
      >
        Nothing is sent any more, and a running replay is cancelled. Events of this time are not sent to it later.
      </AskButton>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        title="Delete this webhook?"
        verb="Delete the webhook"
        isDangerous
        change={{
          resource: 'webhooks',
          deletes: webhook.id,
          send: () => read(api.DELETE('/v1/webhooks/{webhook_id}', { params: paramsOf(opened) })),
          done: 'Webhook deleted',
          onDone: () => void navigate({ to: '/webhooks' }),
        }}
      >
        Its address gets no more events. This cannot be undone.
      </AskButton>
      {enable.error && <ProblemNote error={enable.error} />}
      {asked === 'test' && <TestWebhook webhook={webhook} onClose={close} />}
      {asked === 'replay' && <ReplayDialog webhookId={webhook.id} onClose={close} />}
      {asked === 'change' && <ChangeWebhook opened={opened} onClose={close} />}
      {asked === 'rotate' && <RotateSecret opened={opened} onClose={close} />}
    </>
  );
}

type DialogProps = { webhook: Webhook; onClose: () => void };
type ChangeProps = { opened: Versioned<Webhook>; onClose: () => void };

/** Sends the version that was read: the API refuses the change when another person was faster. */
const paramsOf = ({ value, etag }: Versioned<Webhook>) => ({
  path: { webhook_id: value.id },
  header: { 'If-Match': etag },
});

function RotateSecret({ opened, onClose }: ChangeProps) {
  const [own, setOwn] = useState('');
  const params = paramsOf(opened);
  const rotate = useChange({
    resource: 'webhooks',
    send: () =>
      read(api.POST('/v1/webhooks/{webhook_id}/rotate-secret', { params, body: own === '' ? {} : { secret: own } })),
    done: 'Secret rotated',
    onDone: ({ secret }) => secret === undefined && onClose(),
  });
  const secret = rotate.data?.secret;
  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />;
  return (
    <Modal title="Rotate the secret?" isOpen onClose={onClose}>
      <p>Deliveries are signed with the new and, for 24 hours, also with the previous secret.</p>
      <TextField
        label="New secret"
        type="password"
        autoComplete="off"
        value={own}
        onChange={({ target }) => setOwn(target.value)}
        hint="Empty: the service makes one and shows it once."
      />
      {rotate.error && <ProblemNote error={rotate.error} />}
      <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
        Rotate the secret
      </Button>
    </Modal>
  );
}

function TestWebhook({ webhook, onClose }: DialogProps) {
  const [eventType, setEventType] = useState<EventType>('ping');
  const params = { path: { webhook_id: webhook.id } };
  const test = useChange({
    resource: 'webhooks',
    send: () => read(api.POST('/v1/webhooks/{webhook_id}/test', { params, body: { event_type: eventType } })),
  });
  return (
    <Modal title="Send a test event" isOpen onClose={onClose}>
      <SelectField
        label="Event type"
        value={eventType}
        onChange={({ target }) => setEventType(eventTypes.find((type) => type === target.value) ?? 'ping')}
        hint="A signed sample is sent at once. It is not stored."
      >
        {eventTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      <Button look="primary" disabled={test.isPending} onClick={() => test.mutate()}>
        Send
      </Button>
      {test.error && <ProblemNote error={test.error} />}
      {test.data && <TestResult result={test.data} />}
    </Modal>
  );
}

const TestResult = ({ result }: { result: Schemas['WebhookTest'] }) => (
  <section aria-label="Response">
    <p className={parts['row']}>
      <Tag tone={result.outcome === 'delivered' ? 'good' : 'bad'}>{result.outcome}</Tag>
      {result.status !== null && <span>Status {result.status}</span>}
      <span>{result.duration_ms} ms</span>
    </p>
    {result.error !== null && (
      <p className={parts['text']} dir="auto">
        {result.error}
      </p>
    )}
    {result.response !== null && (
      <pre className={parts['code']} tabIndex={0}>
        {result.response || '(empty body)'}
      </pre>
    )}
  </section>
);
