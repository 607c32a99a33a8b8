import parts from '../../parts/parts.module.css';
import type { Check } from './check.ts';
import styles from './checks.module.css';

/** A command as it runs. */
export const Command = ({ text }: { text: string }) => (
  <pre className={parts['code']} tabIndex={0}>
    {text}
  </pre>
);

/** Checks with their commands. */
export const ChecksPart = ({ checks }: { checks: readonly Check[] }) => (
  <ul aria-label="Checks">
    {checks.map(({ name, command, timeout_seconds: seconds }) => (
      <li key={name} className={styles['item']}>
        <strong dir="auto">{name}</strong> <span className={parts['small']}>at most {seconds} s</span>
        <Command text={command} />
      </li>
    ))}
  </ul>
);
