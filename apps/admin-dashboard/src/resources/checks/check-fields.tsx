import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import type { Texts } from '../edit/versions.ts';
import { type Check, newCheck } from './check.ts';
import styles from './checks.module.css';

type ChecksProps = {
  /** Their path in the request body. */
  path: string;
  checks: readonly Check[];
  errors: Texts;
  onChange: (checks: Check[]) => void;
};

export function CheckFields({ path, checks, errors, onChange }: ChecksProps) {
  const set = (at: number, change: Partial<Check>) =>
    onChange(checks.map((one, n) => (n === at ? { ...one, ...change } : one)));
  return (
    <>
      {checks.map(({ name, command, timeout_seconds: timeout }, at) => (
        <fieldset key={at} className={styles['group']}>
          <legend>Check {at + 1}</legend>
          <TextField
            label="Name of the check"
            value={name}
            onChange={({ target }) => set(at, { name: target.value })}
            error={errors[`${path}.${at}.name`]}
            maxLength={100}
            required
          />
          <TextField
            label="Command"
            hint="It runs after the work, and must exit with 0."
            value={command}
            onChange={({ target }) => set(at, { command: target.value })}
            error={errors[`${path}.${at}.command`]}
            required
          />
          <TextField
            label="Seconds at most"
            type="number"
            min={1}
            max={86_400}
            value={Number.isNaN(timeout) ? '' : timeout}
            onChange={({ target }) => set(at, { timeout_seconds: target.valueAsNumber })}
            error={errors[`${path}.${at}.timeout_seconds`]}
            required
          />
          <Button onClick={() => onChange(checks.filter((_, n) => n !== at))}>Remove the check</Button>
        </fieldset>
      ))}
      <Button onClick={() => onChange([...checks, newCheck])}>Add a check</Button>
    </>
  );
}
