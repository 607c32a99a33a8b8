import { basePath } from '../api/base-path.ts';
import styles from './analytics.module.css';

type CsvLinksProps = { label: string; report: 'usage' | 'durations'; groupings: readonly string[]; from: string };

/** A report as CSV, by each of its groupings. */
export const CsvLinks = ({ label, report, groupings, from }: CsvLinksProps) => (
  <p className={styles['exports']}>
    {label}
    {groupings.map((by) => (
      <a
        key={by}
        href={`${basePath}/v1/analytics/${report}.csv?${new URLSearchParams({ group_by: by, from })}`}
        download
      >
        by {by}
      </a>
    ))}
  </p>
);
