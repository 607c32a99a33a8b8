import type { ReactNode } from 'react';
import styles from './parts.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'none';

export function Tag({ tone = 'none', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles['tag']} data-tone={tone} dir="auto">
      {children}
    </span>
  );
}
