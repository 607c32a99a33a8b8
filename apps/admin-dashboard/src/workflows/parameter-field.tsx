import { SelectField } from '../parts/field.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { DraftArea, DraftText } from '../resources/edit/draft-fields.tsx';
import { controlOf, type Parameter } from './parameter-values.ts';

export type ParameterFieldProps = { draft: string; name: string; parameter: Parameter; error: string | undefined };

/** The field of a parameter by its type; named `parameters.<name>`, as in errors of the API. */
export function ParameterField({ draft, name, parameter, error }: ParameterFieldProps) {
  const { type, required = false, description } = parameter;
  const control = controlOf(parameter);
  const hints = [description, formOf[control] ?? (type === 'integer' ? 'A whole number.' : undefined)];
  const field = {
    draft,
    name: `parameters.${name}`,
    label: required ? `${name} (required)` : name,
    hint: hints.filter((hint) => hint).join(' '),
    error,
    required,
  };
  if (control === 'choice') return <Choice {...field} options={parameter.enum?.map(String) ?? []} />;
  if (control === 'flag') return <Choice {...field} options={['true', 'false']} />;
  if (control === 'lines' || control === 'json') return <DraftArea {...field} />;
  if (control === 'number') return <DraftText {...field} inputMode="decimal" />;
  if (control === 'time') return <DraftText {...field} type="datetime-local" />;
  return type === 'string' ? <DraftArea {...field} rows={2} /> : <DraftText {...field} />;
}

const formOf: Partial<Record<string, string>> = {
  lines: 'One in each line, or a JSON list.',
  json: 'A JSON object.',
};

type ChoiceProps = Omit<ParameterFieldProps, 'parameter'> & {
  label: string;
  hint: string;
  required: boolean;
  options: readonly string[];
};

function Choice({ draft, options, ...field }: ChoiceProps) {
  const [text, setText] = useDraft(`${draft}:${field.name}`);
  return (
    <SelectField {...field} value={text} onChange={({ target }) => setText(target.value)}>
      <option value="">Not given</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </SelectField>
  );
}
