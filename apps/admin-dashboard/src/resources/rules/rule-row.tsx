import { Button } from '../../parts/button.tsx';
import parts from '../../parts/parts.module.css';
import { actions, type Rule } from './rules.ts';

type RowProps = {
  number: number;
  rule: Rule;
  suggestions: string;
  onChange: (change: Partial<Rule>) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
};

/** A rule as a row of the table. */
export const RuleRow = ({ number, rule, suggestions, onChange, onMove, onRemove }: RowProps) => (
  <tr>
    <td>
      <select
        className={parts['input']}
        aria-label={`Action of rule ${number}`}
        value={rule.action}
        onChange={({ target }) => onChange({ action: actions.find((one) => one === target.value) ?? 'ask' })}
      >
        {actions.map((action) => (
          <option key={action}>{action}</option>
        ))}
      </select>
    </td>
    <td>
      <input
        className={parts['input']}
        aria-label={`Tool of rule ${number}`}
        list={suggestions}
        maxLength={200}
        value={rule.tool}
        onChange={({ target }) => onChange({ tool: target.value })}
      />
    </td>
    <td>
      <input
        className={parts['input']}
        aria-label={`Pattern of rule ${number}`}
        maxLength={500}
        dir="auto"
        value={rule.pattern}
        onChange={({ target }) => onChange({ pattern: target.value })}
      />
    </td>
    <td className={parts['row']}>
      <Button aria-label={`Move rule ${number} up`} onClick={() => onMove(-1)}>
        ↑
      </Button>
      <Button aria-label={`Move rule ${number} down`} onClick={() => onMove(1)}>
        ↓
      </Button>
      <Button aria-label={`Remove rule ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </td>
  </tr>
);
