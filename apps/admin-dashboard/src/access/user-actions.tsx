import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, read, type Versioned } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { AskButton } from '../resources/ask.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import type { User } from './access-words.ts';
import { EditUser } from './user-form.tsx';

/** The actions on a user. Whether the edit form is open is part of the address. */
export function UserActions({ opened }: { opened: Versioned<User> }) {
  const { edit } = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const showForm = (isShown: boolean) => void navigate({ search: isShown ? { edit: true } : {}, replace: true });
  const { id, email } = opened.value;
  const path = { user_id: id };
  const isOneself = useSession().session?.user.id === id;
  return (
    <>
      <Button onClick={() => showForm(true)}>Edit</Button>
      <AskButton
        button={{ children: 'New link' }}
        title="Make a new one-time link?"
        verb="Make the link"
        change={{
          resource: 'users',
          send: () => read(api.POST('/admin/api/users/{user_id}/link', { params: { path } })),
        }}
        shown={({ link }, close) => <LinkShown link={link} onClose={close} />}
      >
        Anyone who opens the link can set the password of {email}. Earlier links stop working.
      </AskButton>
      <AskButton
        button={{ look: 'danger', children: 'Delete' }}
        title="Delete this user?"
        verb="Delete the user"
        isDangerous
        change={{
          resource: 'users',
          deletes: id,
          send: () =>
            read(api.DELETE('/admin/api/users/{user_id}', { params: { path, header: { 'If-Match': opened.etag } } })),
          done: 'User deleted and signed out',
          onDone: () => void navigate({ to: '/users' }),
        }}
      >
        {isOneself && 'This is you. '}
        {email} is signed out everywhere and cannot sign in any more. What the person created stays. This cannot be
        undone.
      </AskButton>
      {edit && <EditUser opened={opened} onClose={() => showForm(false)} />}
    </>
  );
}

export const LinkShown = ({ link, onClose }: { link: string; onClose: () => void }) => (
  <ShownOnce title="Copy the link now" values={{ 'One-time link': link }} onClose={onClose}>
    Send it to the person. It is shown only once, and sets a password once, within 24 hours.
  </ShownOnce>
);
