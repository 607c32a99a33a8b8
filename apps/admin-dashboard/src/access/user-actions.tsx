import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Versioned } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Ask } from '../resources/ask.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { useChange } from '../resources/use-change.ts';
import type { User } from './access-words.ts';
import { EditUser } from './user-form.tsx';

/** The actions on a user. Whether the edit form is open is part of the address. */
export function UserActions({ opened }: { opened: Versioned<User> }) {
  const { edit } = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const [asked, setAsked] = useState<'link' | 'delete'>();
  const close = () => setAsked(undefined);
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { edit: true } : {}, replace: true });
  return (
    <>
      <Button onClick={() => showForm(true)}>Edit</Button>
      <Button onClick={() => setAsked('link')}>New link</Button>
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {edit && <EditUser opened={opened} onClose={() => showForm(false)} />}
      {asked === 'link' && <MakeLink user={opened.value} onClose={close} />}
      {asked === 'delete' && <AskDelete opened={opened} onClose={close} />}
    </>
  );
}

type AskProps = { user: User; onClose: () => void };

function MakeLink({ user, onClose }: AskProps) {
  const change = useChange({
    resource: 'users',
    send: () => read(api.POST('/admin/api/users/{user_id}/link', { params: { path: { user_id: user.id } } })),
  });
  if (change.data) return <LinkShown link={change.data.link} onClose={onClose} />;
  return (
    <Ask title="Make a new one-time link?" verb="Make the link" change={change} onClose={onClose}>
      Anyone who opens the link can set the password of {user.email}. Earlier links stop working.
    </Ask>
  );
}

export const LinkShown = ({ link, onClose }: { link: string; onClose: () => void }) => (
  <ShownOnce title="Copy the link now" values={{ 'One-time link': link }} onClose={onClose}>
    Send it to the person. It is shown only once, and sets a password once, within 24 hours.
  </ShownOnce>
);

function AskDelete({ opened: { value: user, etag }, onClose }: { opened: Versioned<User>; onClose: () => void }) {
  const navigate = useNavigate();
  const isOneself = useSession().session?.user.id === user.id;
  const change = useChange({
    resource: 'users',
    deletes: user.id,
    send: () => {
      const params = { path: { user_id: user.id }, header: { 'If-Match': etag } };
      return read(api.DELETE('/admin/api/users/{user_id}', { params }));
    },
    done: 'User deleted and signed out',
    onDone: () => void navigate({ to: '/users' }),
  });
  return (
    <Ask title="Delete this user?" verb="Delete the user" isDangerous change={change} onClose={onClose}>
      {isOneself && 'This is you. '}
      {user.email} is signed out everywhere and cannot sign in any more. What the person created stays. This cannot be
      undone.
    </Ask>
  );
}
