import { useState } from 'react';
import { api, read, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { TextField } from '../parts/field.tsx';
import { Ask } from '../resources/ask.tsx';
import { SecretShown } from '../resources/copy-text.tsx';
import type { Integration } from '../resources/integrations/integration-names.ts';
import { useChange } from '../resources/use-change.ts';

export type DialogProps = { opened: Versioned<Integration>; onClose: () => void };

/** Sends the version that was read: the API refuses the change when another person was faster. */
const paramsOf = ({ value, etag }: Versioned<Integration>) => ({
  path: { integration_id: value.id },
  header: { 'If-Match': etag },
});

export function AskDisconnect({ opened, onClose }: DialogProps) {
  const params = paramsOf(opened);
  const change = useChange({
    resource: 'integrations',
    send: () => read(api.PATCH('/v1/integrations/{integration_id}', { params, body: { status: 'disconnected' } })),
    done: 'Disconnected',
    onDone: onClose,
  });
  return (
    <Ask title="Disconnect this system?" verb="Disconnect it" isDangerous change={change} onClose={onClose}>
      Its webhooks are refused and nothing is reported to it, until it is connected again. Its settings stay.
    </Ask>
  );
}

export function Reconnect({ opened }: { opened: Versioned<Integration> }) {
  const params = paramsOf(opened);
  const change = useChange({
    resource: 'integrations',
    send: () => read(api.PATCH('/v1/integrations/{integration_id}', { params, body: { status: 'active' } })),
    done: 'Connected again',
  });
  return (
    <>
      <Button look="primary" disabled={change.isPending} onClick={() => change.mutate()}>
        Connect again
      </Button>
      {change.error && <ProblemNote error={change.error} />}
    </>
  );
}

export function AskDelete({ opened, onClose, onDeleted }: DialogProps & { onDeleted: () => void }) {
  const params = paramsOf(opened);
  const change = useChange({
    resource: 'integrations',
    deletes: opened.value.id,
    send: () => read(api.DELETE('/v1/integrations/{integration_id}', { params })),
    done: 'Integration deleted',
    onDone: onDeleted,
  });
  return (
    <Ask title="Delete this integration?" verb="Delete it" isDangerous change={change} onClose={onClose}>
      Its settings and its secret are removed. This cannot be undone.
    </Ask>
  );
}

export function RotateIntegration({ opened, onClose }: DialogProps) {
  const [own, setOwn] = useState('');
  const params = paramsOf(opened);
  const rotate = useChange({
    resource: 'integrations',
    send: () => {
      const body = own === '' ? {} : { secret: own };
      return read(api.POST('/v1/integrations/{integration_id}/rotate-secret', { params, body }));
    },
    done: 'Secret rotated',
    onDone: ({ secret }) => secret === undefined && onClose(),
  });
  const secret = rotate.data?.secret;
  if (secret !== undefined)
    return (
      <SecretShown secret={secret} onClose={onClose}>
        Set it in the other system, which signs its webhooks with it.
      </SecretShown>
    );
  return (
    <Modal title="Rotate the secret?" isOpen onClose={onClose}>
      <p>Set the new secret in the other system. The previous one is accepted for 24 hours more.</p>
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
