import { useId, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import parts from '../parts/parts.module.css';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { moved, newRule, type Rule, rulesOf, textOfRules } from './policy-values.ts';
import styles from './policies.module.css';
import { RuleRow } from './rule-row.tsx';

const tools = ['*', 'read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'];

/** Rules as rows of a table; a hidden field has all of them as the form sends them. */
export function RuleFields({ text, errors }: { text: string; errors: Texts }) {
  const field = useRef<HTMLInputElement>(null);
  const [rules, setRules] = useState(() => rulesOf(text));
  const suggestions = useId();
  const set = (next: Rule[]) => {
    // The form reads its fields before this is drawn again.
    if (field.current) field.current.value = textOfRules(next);
    setRules(next);
  };
  const broken = errorOf(errors, 'rules');
  return (
    <>
      <input ref={field} type="hidden" name="rules" value={textOfRules(rules)} />
      <p className={parts['small']}>
        The first rule that fits decides; without one it is allowed. The pattern is compared with the command, the title
        and the paths of changed files: * stands for any text.
      </p>
      <table className={styles['rules']} aria-label="Rules">
        <thead>
          <tr>
            {['Action', 'Tool', 'Pattern', 'Order'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, at) => (
            <RuleRow
              key={at}
              number={at + 1}
              rule={rule}
              suggestions={suggestions}
              onChange={(change) => set(rules.with(at, { ...rule, ...change }))}
              onMove={(by) => set(moved(rules, at, by))}
              onRemove={() => set(rules.toSpliced(at, 1))}
            />
          ))}
        </tbody>
      </table>
      <datalist id={suggestions}>
        {tools.map((tool) => (
          <option key={tool} value={tool} />
        ))}
      </datalist>
      {broken !== undefined && <p className={parts['error']}>{broken}</p>}
      <Button onClick={() => set([...rules, newRule])}>Add a rule</Button>
    </>
  );
}
