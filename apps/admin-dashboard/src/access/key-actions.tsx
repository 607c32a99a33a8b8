import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Versioned } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { AskButton } from '../resources/ask.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { useChange } from '../resources/use-change.ts';
import type { Key } from './access-words.ts';
import { EditKey } from './key-form.tsx';

/** The actions on a key that is not revoked. Whether its edit form is open is part of the address. */
export function KeyActions({ opened }: { opened: Versioned<Key> }) {
  const { edit } = useSearch({ from: '/keys/$keyId' });
  const navigate = useNavigate({ from: '/keys/$keyId' });
  const [asked, setAsked] = useState<'rotate'>();
  const close = () => setAsked(undefined);
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { edit: true } : {}, replace: true });
  const params = { path: { key_id: opened.value.id }, header: { 'If-Match': opened.etag } };
  return (
    <>
      <Button onClick={() => showForm(true)}>Edit</Button>
      <Button onClick={() => setAsked('rotate')}>Rotate</Button>
      <AskButton
        button={{ look: 'danger', children: 'Revoke' }}
        title="Revoke this key?"
        verb="Revoke the key"
        isDangerous
        change={{
          resource: 'keys',
          send: () => read(api.DELETE('/admin/api/keys/{key_id}', { params })),
          done: 'Key revoked: it stops working within two seconds',
        }}
      >
        Programs that use it are refused from now on. It stays listed. This cannot be undone.
      </AskButton>
      {edit && <EditKey opened={opened} onClose={() => showForm(false)} />}
      {asked === 'rotate' && <RotateKey apiKey={opened.value} onClose={close} />}
    </>
  );
}

const overlaps = [
  [0, 'not at all'],
  [3_600, 'for an hour'],
  [86_400, 'for a day'],
  [604_800, 'for a week'],
] as const;

function RotateKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [seconds, setSeconds] = useState(0);
  const params = { path: { key_id: apiKey.id } };
  const rotate = useChange({
    resource: 'keys',
    send: () => read(api.POST('/admin/api/keys/{key_id}/rotate', { params, body: { overlap_seconds: seconds } })),
  });
  if (rotate.data) return <KeyShown text={rotate.data.key} onClose={onClose} />;
  return (
    <Modal title="Rotate this key?" isOpen onClose={onClose}>
      <p>It gets a new text. Its name, scopes and limits stay the same.</p>
      <SelectField
        label="The old text stays valid"
        hint="Time to replace it in your programs."
        value={seconds}
        onChange={({ target }) => setSeconds(Number(target.value))}
      >
        {overlaps.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
      {rotate.error && <ProblemNote error={rotate.error} />}
      <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
        Rotate the key
      </Button>
    </Modal>
  );
}

export const KeyShown = ({ text, onClose }: { text: string; onClose: () => void }) => (
  <ShownOnce title="Copy the key now" values={{ Key: text }} onClose={onClose}>
    It is shown only once. Programs send it in the header X-API-Key.
  </ShownOnce>
);
