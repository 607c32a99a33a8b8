import { TextField } from '../parts/field.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { budgetLabels } from './budget-values.ts';

type Props = { texts: Texts; errors: Texts; hint: string };

/** The fields of a budget that can be changed: its limit, and the share of it that triggers a warning. */
export const AmountFields = ({ texts, errors, hint }: Props) => (
  <>
    <TextField
      label={budgetLabels.limit}
      name="limit"
      type="number"
      min={0}
      step="any"
      defaultValue={texts['limit']}
      hint={hint}
      error={errorOf(errors, 'limit')}
      required
    />
    <TextField
      label={budgetLabels.warn_at_percent}
      name="warn_at_percent"
      type="number"
      min={1}
      max={100}
      defaultValue={texts['warn_at_percent']}
      hint="From that share of the limit on there is one event budget.warning."
      error={errorOf(errors, 'warn_at_percent')}
      required
    />
  </>
);
