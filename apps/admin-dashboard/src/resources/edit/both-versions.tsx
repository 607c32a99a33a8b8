import { TableHead } from '../charts/table-head.tsx';
import styles from './edit.module.css';
import type { Field, Texts } from './versions.ts';

const columns = ['Field', 'Theirs, saved', 'Yours'];

export type BothVersionsProps = { fields: readonly Field[]; theirs: Texts; typed: Texts };

/** What another person saved, next to what was typed. */
export const BothVersions = ({ fields, theirs, typed }: BothVersionsProps) => (
  <div role="alert" className={styles['both']}>
    <strong>Somebody else changed it meanwhile.</strong>
    {fields.length === 0 ? (
      <p>What they saved is what you typed.</p>
    ) : (
      <table>
        <TableHead columns={columns} />
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
