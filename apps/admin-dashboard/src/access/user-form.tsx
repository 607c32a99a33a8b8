import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { forgetDrafts } from '../work/draft-fields.tsx';
import { useChange } from '../work/use-change.ts';
import { type Opened, userQuery } from './access-queries.ts';
import type { Role, User } from './access-words.ts';
import { fieldsFor, FormText, ownSet, RoleFields, scopesOf, textOf } from './fields.tsx';
import { useEdit } from './use-access.ts';

const draft = 'new-user';

type CreateProps = { onClose: () => void; onMade: (user: Schemas['CreatedUser']) => void };

export function CreateUser({ onClose, onMade }: CreateProps) {
  const once = useOnce();
  const { mutate, error, isPending } = useChange({
    resource: 'users',
    send: (body: Schemas['CreateUser']) =>
      once((header) => read(api.POST('/admin/api/users', { body, params: { header } }))),
    onDone: (user) => {
      forgetDrafts(draft);
      onMade(user);
    },
  });
  const send = (form: FormData) =>
    mutate({ name: textOf(form, 'name'), email: textOf(form, 'email'), ...rightsOf(form) });
  return (
    <Modal title="Invite a user" isOpen onClose={onClose}>
      <p>You get a link to pass on, with which the person sets a password.</p>
      <UserForm verb="Invite" error={error} isPending={isPending} onSend={send} />
    </Modal>
  );
}

export function EditUser({ opened, onClose }: { opened: Opened<User>; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = opened.item;
  const { before, theirs, verb, change } = useEdit({
    resource: 'users',
    opened,
    readAgain: () => client.fetchQuery({ ...userQuery(id), staleTime: 0 }),
    send: (body: Schemas['ChangeUser'], header) =>
      read(api.PATCH('/admin/api/users/{user_id}', { params: { path: { user_id: id }, header }, body })),
    done: 'User changed',
    onDone: onClose,
  });
  const send = (form: FormData) => {
    const was = textsOf(before);
    const rights = rightsOf(form);
    const isSame = rights.role ? rights.role === before.role : !before.role && rights.scopes?.join(', ') === was.scopes;
    const [name, email] = [textOf(form, 'name'), textOf(form, 'email')];
    // Rights that are sent end the sessions of the person, also the same ones.
    change.mutate({
      ...(name === was.name ? {} : { name }),
      ...(email === was.email ? {} : { email }),
      ...(isSame ? {} : rights),
    });
  };
  return (
    <Modal title="Edit the user" isOpen onClose={onClose}>
      <UserForm {...{ verb, before, theirs }} error={change.error} isPending={change.isPending} onSend={send} />
    </Modal>
  );
}

type FormProps = {
  verb: string;
  before?: User;
  theirs?: User;
  error: unknown;
  isPending: boolean;
  onSend: (form: FormData) => void;
};

function UserForm({ verb, before, theirs, error, isPending, onSend }: FormProps) {
  const of = fieldsFor({ before: before ? textsOf(before) : newUser, theirs: theirs && textsOf(theirs), error });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  const draftName = before ? undefined : draft;
  const role = of('role', before ? 'Another one ends the sessions of the person.' : '');
  const scopes = of('scopes', 'You can grant only scopes that you have.');
  return (
    <form onSubmit={send}>
      <FormText draft={draftName} label="Name" {...of('name')} maxLength={200} required />
      <FormText draft={draftName} label="E-mail" {...of('email', 'Used to sign in.')} type="email" required />
      <RoleFields role={{ ...role, error: role.error ?? scopes.error }} scopes={scopes} />
      {error !== null && Object.keys(asProblem(error).fields).length === 0 && <ProblemNote error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        {verb}
      </Button>
    </form>
  );
}

const textsOf = ({ name, email, role, scopes }: User) => ({
  name,
  email,
  role: role ?? ownSet,
  scopes: scopes.join(', '),
});
const newUser: ReturnType<typeof textsOf> = { name: '', email: '', role: 'member', scopes: '' };

function rightsOf(form: FormData): { role?: Role; scopes?: ReturnType<typeof scopesOf> } {
  const role = textOf(form, 'role');
  return role === ownSet ? { scopes: scopesOf(form) } : { role: role as Role };
}
