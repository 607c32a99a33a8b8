import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Ask } from '../resources/ask.tsx';
import { useChange } from '../resources/use-change.ts';
import { EditProfile } from './profile-form.tsx';
import type { ReadProfile } from './profile-queries.ts';

type Asked = 'edit' | 'delete';

export function ProfileActions({ opened }: { opened: ReadProfile }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button look="primary" onClick={() => setAsked('edit')}>
        Edit
      </Button>
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && <EditProfile opened={opened} onClose={close} />}
      {asked === 'delete' && <DeleteProfile opened={opened} onClose={close} />}
    </>
  );
}

function DeleteProfile({ opened: { value, etag }, onClose }: { opened: ReadProfile; onClose: () => void }) {
  const navigate = useNavigate();
  const params = { path: { profile_id: value.id }, header: { 'If-Match': etag } };
  const change = useChange({
    resource: 'profiles',
    deletes: value.id,
    send: () => read(api.DELETE('/v1/profiles/{profile_id}', { params })),
    done: 'Profile deleted',
    onDone: () => void navigate({ to: '/profiles', search: {} }),
  });
  return (
    <Ask title="Delete this profile?" verb="Delete the profile" isDangerous change={change} onClose={onClose}>
      Its roles and agents have none any more, and its versions are gone. This cannot be undone.
    </Ask>
  );
}
