import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import checks from '../resources/checks/checks.module.css';
import { ChoiceField } from '../resources/edit/choice-field.tsx';
import { useListField } from '../resources/edit/list-field.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { budgetPeriods, budgetUnits } from '../resources/usage/usage-words.ts';
import { budgetsOf, newTerms, type Terms, textOfBudgets } from './profile-values.ts';

const written = { read: budgetsOf, print: textOfBudgets };

/** Limits of what the agents with a profile use together. */
export function BudgetFields({ text, errors }: { text: string; errors: Texts }) {
  const { list, set, hidden } = useListField('budgets', text, written);
  return (
    <>
      {hidden}
      {list.map((terms, at) => (
        <BudgetRow
          key={at}
          {...{ at, terms, errors }}
          onChange={(change) => set(list.with(at, { ...terms, ...change }))}
          onRemove={() => set(list.toSpliced(at, 1))}
        />
      ))}
      <Button onClick={() => set([...list, newTerms])}>Add a budget</Button>
    </>
  );
}

type RowProps = {
  at: number;
  terms: Terms;
  errors: Texts;
  onChange: (change: Partial<Terms>) => void;
  onRemove: () => void;
};

function BudgetRow({ at, terms, errors, onChange, onRemove }: RowProps) {
  const { unit, period, limit, warn_at_percent: warn } = terms;
  const errorAt = (name: keyof Terms) => errorOf(errors, `budgets.${at}.${name}`);
  const numberOf = (value: number) => (Number.isFinite(value) ? value : '');
  return (
    <fieldset className={checks['group']}>
      <legend>Budget {at + 1}</legend>
      <TextField
        label="Limit"
        type="number"
        min={0}
        step="any"
        value={numberOf(limit)}
        onChange={({ target }) => onChange({ limit: target.valueAsNumber })}
        hint="Of all agents with the profile together. Calls are refused when it is reached."
        error={errorAt('limit')}
        required
      />
      <ChoiceField
        label="Counted in"
        options={budgetUnits}
        value={unit}
        onChange={({ target }) => onChange({ unit: target.value as Terms['unit'] })}
      />
      <ChoiceField
        label="For"
        options={budgetPeriods}
        value={period}
        onChange={({ target }) => onChange({ period: target.value as Terms['period'] })}
        error={errorAt('period')}
      />
      <TextField
        label="Warn at percent"
        type="number"
        min={1}
        max={100}
        value={numberOf(warn)}
        onChange={({ target }) => onChange({ warn_at_percent: target.valueAsNumber })}
        error={errorAt('warn_at_percent')}
        required
      />
      <Button onClick={onRemove}>Remove the budget</Button>
    </fieldset>
  );
}
