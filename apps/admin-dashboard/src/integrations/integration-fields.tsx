import type { ComponentProps } from 'react';
import { TextArea, TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import { DraftArea, DraftText } from '../resources/edit/draft-fields.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import type { Integration, IntegrationType } from '../resources/integrations/integration-names.ts';
import { type NamedSpec, specs } from './integration-specs.ts';
import { textsOf } from './integration-values.ts';
import { reportingDefaults, reportingLabels } from './reporting.ts';

export type IntegrationFieldsProps = {
  type: IntegrationType;
  errors: Texts;
  /** Typed text is kept under this name; without it the fields begin with the settings of the integration. */
  draft?: string;
  integration?: Integration;
};

export function IntegrationFields({ type, errors, draft, integration }: IntegrationFieldsProps) {
  const texts = integration ? textsOf(integration) : reportingDefaults;
  return specs[type].map((spec) => <Field key={spec.name} spec={spec} errors={errors} draft={draft} texts={texts} />);
}

type FieldProps = { spec: NamedSpec; errors: Texts; draft: string | undefined; texts: Texts };

function Field({ spec: { name, label, hint = '', kind, isRequired = false }, errors, draft, texts }: FieldProps) {
  const common = { name, label, hint, error: errorOf(errors, name), required: isRequired };
  if (kind === 'flag') return <Flag name={name} label={label} isOn={texts[name] === 'on'} />;
  if (kind === 'reporting') return <Reporting label={label} errors={errors} texts={texts} />;
  if (kind === 'secret') {
    const kept = draft === undefined ? ' Empty: it stays as it is.' : '';
    return <TextField {...common} hint={hint + kept} type="password" autoComplete="off" />;
  }
  const more: ComponentProps<'input'> = kind === 'number' ? { type: 'number', min: 1, max: 8760 } : {};
  if (draft !== undefined)
    return kind === 'map' ? <DraftArea {...common} draft={draft} /> : <DraftText {...common} {...more} draft={draft} />;
  return kind === 'map' ? (
    <TextArea {...common} defaultValue={texts[name]} />
  ) : (
    <TextField {...common} {...more} defaultValue={texts[name]} />
  );
}

const Flag = ({ name, label, isOn }: { name: string; label: string; isOn: boolean }) => (
  <div className={parts['field']}>
    <label>
      <input type="checkbox" name={name} defaultChecked={isOn} /> {label}
    </label>
  </div>
);

const Reporting = ({ label, errors, texts }: { label: string; errors: Texts; texts: Texts }) => (
  <fieldset>
    <legend>{label}</legend>
    <TextField
      name="write_back.status.completed"
      label={reportingLabels['write_back.status.completed']}
      hint="Empty: found from the status words, or the kinds of status that the platform has."
      defaultValue={texts['write_back.status.completed']}
      error={errorOf(errors, 'write_back')}
    />
    {(['write_back.keeps_status', 'write_back.comments'] as const).map((name) => (
      <Flag key={name} name={name} label={reportingLabels[name]} isOn={texts[name] === 'on'} />
    ))}
  </fieldset>
);
