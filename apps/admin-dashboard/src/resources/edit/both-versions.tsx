import styles from './edit.module.css';
import type { Field, Texts } from './versions.ts';

export type BothVersionsProps = { fields: readonly Field[]; theirs: Texts; typed: Texts };

/** What somebody else saved beside what was typed. */
export const BothVersions = ({ fields, theirs, typed }: BothVersionsProps) => (
  <div role="alert" className={styles['both']}>
    <strong>Somebody else changed it meanwhile.</strong>
    {fields.length === 0 ? (
      <p>What they saved is what you typed.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs, saved</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>{theirs[name] || '(empty)'}</td>
              <td>{typed[name] || '(empty)'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </div>
);
