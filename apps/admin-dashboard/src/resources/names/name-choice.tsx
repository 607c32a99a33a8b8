import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { SelectField, TextField } from '../../parts/field.tsx';
import parts from '../../parts/parts.module.css';
import { ChoiceFilter, type ChoiceFilterProps } from '../log/log-filters.tsx';
import { type Choices, type NameSource, useChoices, useFind } from './name-source.ts';

type NameFieldProps<Row extends { id: string }> = {
  source: NameSource<Row>;
  label: string;
  name: string;
  /** The initial ID, or ''. */
  first: string;
  /** The label for no choice. */
  none: string;
  /** Choices that are not rows of the source. */
  others?: Readonly<Record<string, string>>;
  hint?: string;
  error?: string | undefined;
};

/** A form field that chooses a row by its name. Rows that are not listed are searched in the source. */
export function NameField<Row extends { id: string }>({ source, first, none, others, ...field }: NameFieldProps<Row>) {
  const [chosen, setChosen] = useState(first);
  const choices = useChoices(source, chosen, others);
  return (
    <>
      <SelectField {...field} value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">{none}</option>
        {Object.entries(choices.labels).map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </SelectField>
      {!choices.isAll && <FindField {...{ source, choices }} onFound={setChosen} />}
    </>
  );
}

type FindProps<Row extends { id: string }> = {
  source: NameSource<Row>;
  choices: Choices;
  onFound: (id: string) => void;
};

const labelOf = <Row extends { id: string }>({ one, by }: NameSource<Row>) => `Another ${one}: ${by}`;
const restOf = <Row extends { id: string }>({ many }: NameSource<Row>, { listed }: Choices) =>
  `Only ${listed.toLocaleString('en')} ${many} are listed.`;

/** Enter searches, and does not submit the form. */
const onEnter = (find: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  find();
};

function FindField<Row extends { id: string }>({ source, choices, onFound }: FindProps<Row>) {
  const { text, type, find, sentence } = useFind(source, onFound);
  const field = useRef<HTMLInputElement>(null);
  // The form must not be sent with the previous choice while a name is typed here.
  useEffect(
    () => field.current?.setCustomValidity(text === '' ? '' : 'Press Enter to find it, or clear this.'),
    [text],
  );
  return (
    <TextField
      ref={field}
      label={labelOf(source)}
      hint={`${restOf(source, choices)} Enter finds another one.`}
      error={sentence}
      value={text}
      onChange={({ target }) => type(target.value)}
      onKeyDown={onEnter(find)}
    />
  );
}

type NameFilterProps<Row extends { id: string }> = Omit<ChoiceFilterProps, 'options'> & {
  source: NameSource<Row>;
  others?: Readonly<Record<string, string>>;
};

/** The same as a filter of a list. */
export function NameFilter<Row extends { id: string }>({ source, others, ...filter }: NameFilterProps<Row>) {
  const choices = useChoices(source, filter.value ?? '', others);
  return (
    <>
      <ChoiceFilter {...filter} options={choices.labels} />
      {!choices.isAll && <FindFilter {...{ source, choices }} onFound={filter.onChange} />}
    </>
  );
}

function FindFilter<Row extends { id: string }>({ source, choices, onFound }: FindProps<Row>) {
  const { text, type, find, sentence } = useFind(source, onFound);
  const id = useId();
  return (
    <>
      <input
        aria-label={labelOf(source)}
        placeholder={labelOf(source)}
        aria-describedby={id}
        aria-invalid={sentence !== undefined}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onEnter(find)}
        onBlur={find}
      />
      <span id={id} role="status" className={sentence ? parts['error'] : parts['small']}>
        {sentence ?? restOf(source, choices)}
      </span>
    </>
  );
}
