import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef } from 'react';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import type { GraphStep } from '../resources/graph-steps.ts';
import { LazyGraph } from '../resources/lazy-graph.tsx';
import { drawableSteps, offsetOf, readDefinitionText } from './definition-text.ts';
import { useChecked } from './use-checked.ts';
import styles from './workflows.module.css';

export type DefinitionEditorProps = {
  text: string;
  onChange: (text: string) => void;
  onSave: (definition: object) => void;
  saveLabel: string;
  isSaving: boolean;
  error: unknown;
  children?: ReactNode;
};

export const NoScope = () => <p>You need the scope workflows:write to change workflows.</p>;

/** A definition as text, with its graph next to it; the API validates all of it while it is typed. */
export function DefinitionEditor({
  text,
  onChange,
  onSave,
  saveLabel,
  isSaving,
  error,
  children,
}: DefinitionEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = readDefinitionText(useDeferredValue(text));
  const now = readDefinitionText(text);
  const checked = useChecked(text, now.definition);
  const save = () => !isSaving && now.definition && onSave(now.definition);
  const goTo = (path: string) => {
    const at = offsetOf(text, path);
    field.current?.focus();
    field.current?.setSelectionRange(at, at + (/^.*/.exec(text.slice(at))?.[0].length ?? 0));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  const steps = shown.definition ? drawableSteps(shown.definition) : [];
  return (
    <div className={styles['editor']}>
      <div className={styles['story']}>
        {children}
        <TextArea
          ref={field}
          label="Definition"
          hint="JSON, as the API takes it. It is checked while you write; what the API would refuse is listed. Ctrl S saves."
          error={now.error}
          value={text}
          spellCheck={false}
          wrap="off"
          rows={30}
          style={{ fontFamily: 'var(--mono)' }}
          onChange={({ target }) => onChange(target.value || ' ')}
          onKeyDown={onKeyDown}
        />
        <div role="status" className={parts['small']}>
          {checked.isValid && 'The API finds nothing wrong with this definition.'}
        </div>
        {(error ?? checked.error) ? <Violations error={error ?? checked.error} onChoose={goTo} /> : undefined}
        <div>
          <Button look="primary" disabled={isSaving || !now.definition} onClick={save}>
            {saveLabel}
          </Button>
        </div>
      </div>
      <Preview steps={steps} onChoose={(key) => goTo(pathOf(shown.definition, key))} />
    </div>
  );
}

type PreviewProps = { steps: readonly GraphStep[]; onChoose: (key: string) => void };

const Preview = ({ steps, onChoose }: PreviewProps) => (
  <div className={styles['story']}>
    <h2>Preview</h2>
    {steps.length > 0 && <LazyGraph steps={steps} onChoose={onChoose} />}
    {steps.length === 0 && <p className={parts['small']}>The graph is drawn as soon as there are steps.</p>}
    <ol aria-label="Steps">
      {steps.map(({ key, name, needs, note }) => (
        <li key={key} className={styles['item']}>
          <strong>{name}</strong> <span className={parts['small']}>{note}</span>
          {needs.length > 0 && <p className={parts['small']}>After {needs.join(', ')}</p>}
        </li>
      ))}
    </ol>
  </div>
);

/** The path of the step with this id. */
function pathOf(definition: Record<string, unknown> | undefined, key: string): string {
  const steps = (definition?.['steps'] ?? []) as readonly { id?: unknown }[];
  return `steps.${steps.findIndex((step) => step?.id === key)}`;
}

/** The errors that the API found, each with a link to its position in the text. */
function Violations({ error, onChoose }: { error: unknown; onChoose: (path: string) => void }) {
  const { fields } = asProblem(error);
  const found = Object.entries(fields);
  return (
    <>
      <ProblemNote error={error} />
      {found.length > 0 && (
        <ul aria-label="Problems">
          {found.map(([path, message]) => (
            <li key={path} className={styles['item']}>
              <Button look="plain" onClick={() => onChoose(path)}>
                <code>{path}</code>
              </Button>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
