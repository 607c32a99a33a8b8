import { api, read } from '../api/client.ts';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { errorOf } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { RoleField } from '../resources/names/role-filter.tsx';
import { projectNames } from '../resources/names/sources.ts';
import { RuleFields } from '../resources/rules/rule-fields.tsx';
import { newRule, textOfRules } from '../resources/rules/rules.ts';
import { rulesIn } from './policy-values.ts';
import { textIn } from '../resources/edit/text-in.ts';

const draft = 'new-policy';
const start = { project_id: '', role: '', rules: textOfRules([newRule]) };

export function CreatePolicy({ onClose }: { onClose: () => void }) {
  return (
    <CreateForm
      title="Create a policy"
      verb="Create"
      resource="policies"
      {...{ draft, start, onClose }}
      bodyOf={(form) => ({
        project_id: textIn(form, 'project_id') || null,
        role: textIn(form, 'role') || null,
        rules: rulesIn(form),
      })}
      post={(body, header) => read(api.POST('/v1/policies', { body, params: { header } }))}
      done="Policy created"
      onDone={onClose}
    >
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
