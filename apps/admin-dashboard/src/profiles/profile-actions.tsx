import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { AskButton } from '../resources/ask.tsx';
import { EditProfile } from './profile-form.tsx';
import type { ReadProfile } from './profile-queries.ts';

export function ProfileActions({ opened }: { opened: ReadProfile }) {
  const [isEditing, setIsEditing] = useState(false);
  const navigate = useNavigate();
  const { id } = opened.value;
  const params = { path: { profile_id: id }, header: { 'If-Match': opened.etag } };
  return (
    <>
      <Button look="primary" onClick={() => setIsEditing(true)}>
        Edit
      </Button>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        title="Delete this profile?"
        verb="Delete the profile"
        isDangerous
        change={{
          resource: 'profiles',
          deletes: id,
          send: () => read(api.DELETE('/v1/profiles/{profile_id}', { params })),
          done: 'Profile deleted',
          onDone: () => void navigate({ to: '/profiles', search: {} }),
        }}
      >
        Its roles and agents have none any more, and its versions are gone. This cannot be undone.
      </AskButton>
      {isEditing && <EditProfile opened={opened} onClose={() => setIsEditing(false)} />}
    </>
  );
}
