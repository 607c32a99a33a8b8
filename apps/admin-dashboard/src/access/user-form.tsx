import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import type { Texts } from '../resources/edit/versions.ts';
import { userQuery } from './access-queries.ts';
import { type Role, scopeValues, type User } from './access-words.ts';
import { fieldsFor, ownSet, RoleFields, scopesOf } from './fields.tsx';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-user';

type CreateProps = { onClose: () => void; onMade: (user: Schemas['CreatedUser']) => void };

export function CreateUser({ onClose, onMade }: CreateProps) {
  return (
    <CreateForm
      title="Invite a user"
      verb="Invite"
      lead={<p>You get a link to pass on, with which the person sets a password.</p>}
      start={newUser}
      resource="users"
      {...{ draft, onClose }}
      bodyOf={(form) => ({ name: textIn(form, 'name'), email: textIn(form, 'email'), ...rightsOf(form) })}
      post={(body, header) => read(api.POST('/admin/api/users', { body, params: { header } }))}
      onDone={onMade}
    >
      {(texts, errors) => <UserFields {...{ texts, errors }} />}
    </CreateForm>
  );
}

export function EditUser({ opened, onClose }: { opened: Versioned<User>; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the user"
      resource="users"
      opened={opened}
      query={userQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { value, etag }) => {
        const params = { path: { user_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/admin/api/users/{user_id}', { params, body: changesOf(form, value) }));
      }}
      done="User changed"
      onClose={onClose}
    >
      {(user, errors) => (
        <UserFields
          texts={{ ...textsOf(user), scopes: scopeValues(user.scopes) }}
          errors={errors}
          roleHint="Another one ends the sessions of the person."
        />
      )}
    </EditForm>
  );
}

const labels = { name: 'Name', email: 'E-mail', role: 'Role', scopes: 'Scopes' };
type UserTexts = Record<keyof typeof labels, string>;

type FieldsProps = { texts: UserTexts; errors: Texts; roleHint?: string };

function UserFields({ texts, errors, roleHint }: FieldsProps) {
  const of = fieldsFor(texts, errors);
  const role = of('role', roleHint);
  const scopes = of('scopes', 'You can grant only scopes that you have.');
  return (
    <>
      <TextField label={labels.name} {...of('name')} maxLength={200} required />
      <TextField label={labels.email} {...of('email', 'Used to sign in.')} type="email" required />
      <RoleFields role={{ ...role, error: role.error ?? scopes.error }} scopes={scopes} />
    </>
  );
}

/** The scopes of a role are not chosen one by one. */
const textsOf = ({ name, email, role, scopes }: User): UserTexts => ({
  name,
  email,
  role: role ?? ownSet,
  scopes: role ? '' : scopeValues(scopes),
});
const newUser: UserTexts = { name: '', email: '', role: 'member', scopes: '' };

/** Sending rights ends the sessions of the user, even if the rights are the same. */
function changesOf(form: FormData, before: User): Schemas['ChangeUser'] {
  const was = textsOf(before);
  const rights = rightsOf(form);
  const isSame = rights.role
    ? rights.role === before.role
    : !before.role && scopeValues(rights.scopes ?? []) === was.scopes;
  const [name, email] = [textIn(form, 'name'), textIn(form, 'email')];
  return {
    ...(name === was.name ? {} : { name }),
    ...(email === was.email ? {} : { email }),
    ...(isSame ? {} : rights),
  };
}

function rightsOf(form: FormData): { role?: Role; scopes?: ReturnType<typeof scopesOf> } {
  const role = textIn(form, 'role');
  return role === ownSet ? { scopes: scopesOf(form) } : { role: role as Role };
}
