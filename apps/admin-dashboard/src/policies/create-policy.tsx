import { api, read, type Schemas } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { forgetDrafts } from '../resources/edit/draft-fields.tsx';
import { errorOf } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { RoleField } from '../resources/names/role-filter.tsx';
import { projectNames } from '../resources/names/sources.ts';
import { useChange } from '../resources/use-change.ts';
import { RuleFields } from '../resources/rules/rule-fields.tsx';
import { newRule, textOfRules } from '../resources/rules/rules.ts';
import { rulesIn } from './policy-values.ts';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-policy';
const start = { project_id: '', role: '', rules: textOfRules([newRule]) };

export function CreatePolicy({ onClose }: { onClose: () => void }) {
  const once = useOnce();
  const { mutate, isPending, error } = useChange({
    resource: 'policies',
    send: (body: Schemas['CreatePermissionPolicy']) =>
      once((header) => read(api.POST('/v1/policies', { body, params: { header } }))),
    done: 'Policy created',
    onDone: () => {
      forgetDrafts(draft);
      onClose();
    },
  });
  const send = (form: FormData) =>
    mutate({
      project_id: textIn(form, 'project_id') || null,
      role: textIn(form, 'role') || null,
      rules: rulesIn(form),
    });
  return (
    <CreateForm title="Create a policy" verb="Create" {...{ draft, start, error, isPending, onClose }} onSend={send}>
      {(texts, errors) => (
        <>
          <NameField
            source={projectNames}
            label="Project"
            name="project_id"
            first={texts.project_id}
            none="All projects"
            error={errorOf(errors, 'project_id')}
          />
          <RoleField
            label="Role"
            name="role"
            defaultValue={texts.role}
            hint="Empty: all roles."
            error={errorOf(errors, 'role')}
          />
          <RuleFields name="rules" text={texts.rules} errors={errors} />
        </>
      )}
    </CreateForm>
  );
}
