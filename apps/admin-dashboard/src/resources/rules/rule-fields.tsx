import { useId } from 'react';
import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { TableHead } from '../charts/table-head.tsx';
import { useListField } from '../edit/list-field.tsx';
import { errorOf, type Texts } from '../edit/versions.ts';
import { RuleRow } from './rule-row.tsx';
import { moved, newRule, rulesOf, textOfRules } from './rules.ts';
import styles from './rules.module.css';

const tools = ['*', 'read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'];

const written = { read: rulesOf, print: textOfRules };

const columns = ['Action', 'Tool', 'Pattern', 'Order'];

/** Rules as rows of a table; the field `name` has all of them as the form sends them. */
export function RuleFields({ name, text, errors }: { name: string; text: string; errors: Texts }) {
  const { list: rules, set, hidden } = useListField(name, text, written);
  const suggestions = useId();
  const broken = errorOf(errors, name);
  return (
    <>
      {hidden}
      <p className={parts['small']}>
        The first rule that fits decides; without one it is allowed. The pattern is compared with the command, the title
        and the paths of files: * stands for any text. One of them has to fit a rule to ask or deny; the command and all
        paths have to fit a rule to allow.
      </p>
      <table className={styles['rules']} aria-label="Permission rules">
        <TableHead columns={columns} />
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
