import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { ChoiceField } from '../resources/edit/choice-field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { RoleField } from '../resources/names/role-filter.tsx';
import { agentNames, projectNames } from '../resources/names/sources.ts';
import { budgetPeriods, budgetUnits } from '../resources/usage/usage-words.ts';
import { AmountFields } from './amount-fields.tsx';
import { budgetIn, newBudget, scopes } from './budget-values.ts';

const draft = 'new-budget';

export function CreateBudget({ onClose }: { onClose: () => void }) {
  return (
    <CreateForm
      title="Create a budget"
      verb="Create"
      start={newBudget as Texts}
      resource="budgets"
      {...{ draft, onClose }}
      bodyOf={budgetIn}
      post={(body, header) => read(api.POST('/v1/budgets', { body, params: { header } }))}
      done="Budget created: calls count from now on"
      onDone={onClose}
    >
      {(texts, errors) => (
        <>
          <WhoseFields texts={texts} errors={errors} />
          <ChoiceField label="Counted in" name="unit" options={budgetUnits} defaultValue={texts['unit']} />
          <ChoiceField label="For" name="period" options={budgetPeriods} defaultValue={texts['period']} />
          <AmountFields texts={texts} errors={errors} hint="Calls are refused when it is reached." />
        </>
      )}
    </CreateForm>
  );
}

/** Whose calls count. Text typed for one kind is not kept for another. */
function WhoseFields({ texts, errors }: { texts: Texts; errors: Texts }) {
  const [scope, setScope] = useState(texts['scope'] ?? newBudget.scope);
  const first = scope === texts['scope'] ? (texts['scope_id'] ?? '') : '';
  const field = { name: 'scope_id', error: errorOf(errors, 'scope_id') };
  return (
    <>
      <ChoiceField
        label="Whose calls count"
        name="scope"
        options={scopes}
        value={scope}
        onChange={({ target }) => setScope(target.value)}
      />
      {scope === 'project' && (
        <NameField source={projectNames} label="Project" none="Choose a project" {...{ first }} {...field} />
      )}
      {scope === 'agent' && (
        <NameField source={agentNames} label="Agent" none="Choose an agent" {...{ first }} {...field} />
      )}
      {scope === 'role' && <RoleField label="Role" defaultValue={first} {...field} required />}
    </>
  );
}
