import parts from '../../parts/parts.module.css';

/** Text as it came, which scrolls by keyboard. */
export const Code = ({ label, children }: { label: string; children: string }) => (
  <div>
    <p className={parts['small']}>{label}</p>
    <pre className={parts['code']} tabIndex={0} aria-label={label}>
      {children}
    </pre>
  </div>
);
