import { api, read } from '../api/client.ts';
import { TextArea, TextField } from '../parts/field.tsx';
import { CheckFields } from '../resources/checks/check-fields.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { useListField } from '../resources/edit/list-field.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { RuleFields } from '../resources/rules/rule-fields.tsx';
import { BudgetFields } from './budget-fields.tsx';
import { profileQuery, type ReadProfile } from './profile-queries.ts';
import {
  bodyOf,
  checksOf,
  type FieldName,
  labels,
  newProfile,
  type ProfileTexts,
  textOfChecks,
  textsOf,
} from './profile-values.ts';

const draft = 'new-profile';

export function CreateProfile({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  return (
    <CreateForm
      title="Create a profile"
      verb="Create"
      start={newProfile}
      resource="profiles"
      {...{ draft, onClose }}
      bodyOf={bodyOf}
      post={(body, header) => read(api.POST('/v1/profiles', { body, params: { header } }))}
      done="Profile created"
      onDone={({ id }) => onCreated(id)}
    >
      {(texts, errors) => <ProfileFields {...{ texts, errors }} />}
    </CreateForm>
  );
}

export function EditProfile({ opened, onClose }: { opened: ReadProfile; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the profile"
      resource="profiles"
      opened={opened}
      query={profileQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { profile_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/profiles/{profile_id}', { params, body: bodyOf(form) }));
      }}
      done="Profile changed: agents get it with their next task"
      onClose={onClose}
    >
      {(profile, errors) => <ProfileFields texts={textsOf(profile)} errors={errors} />}
    </EditForm>
  );
}

function ProfileFields({ texts, errors }: { texts: ProfileTexts; errors: Texts }) {
  const of = (name: FieldName) => ({
    name,
    label: labels[name],
    defaultValue: texts[name],
    error: errorOf(errors, name),
  });
  return (
    <>
      <TextField {...of('name')} maxLength={200} required />
      <TextArea {...of('description')} rows={2} />
      <TextField
        {...of('roles')}
        hint="Separated by commas. Their agents have it, unless they have one of their own."
      />
      <TextField {...of('agents')} hint="IDs, separated by commas. They have it whatever their role." />
      <TextArea {...of('instructions')} hint="Markdown. Agents read it before each task." rows={8} />
      <TextField {...of('model')} hint="As the agent calls it. Empty: its default." />
      <TextField {...of('effort')} hint="How much the model thinks, as the agent calls it. Empty: its default." />
      <JsonField {...of('skills')} hint='JSON: [{"name": "notes", "files": [{"path": "SKILL.md", "content": "…"}]}]' />
      <JsonField
        {...of('mcp_servers')}
        hint='JSON: [{"type": "http", "name": "issues", "url": "https://…", "headers": {}}]. ${MCP_…} is a variable of the runner.'
      />
      <Checks text={texts.checks} errors={errors} />
      <RuleFields name="permission_rules" text={texts.permission_rules} errors={errors} />
      <BudgetFields text={texts.budgets} errors={errors} />
    </>
  );
}

const JsonField = (props: Parameters<typeof TextArea>[0]) => (
  <TextArea {...props} rows={4} spellCheck={false} style={{ fontFamily: 'var(--mono)' }} />
);

const written = { read: checksOf, print: textOfChecks };

function Checks({ text, errors }: { text: string; errors: Texts }) {
  const { list, set, hidden } = useListField('checks', text, written);
  return (
    <>
      {hidden}
      <CheckFields path="checks" checks={list} errors={errors} onChange={set} />
    </>
  );
}
