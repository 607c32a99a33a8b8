import type { ReactNode } from 'react';
import { asProblem, type ProblemKind } from '../api/problem.ts';
import { Button } from './button.tsx';
import styles from './parts.module.css';

const titles: Readonly<Record<ProblemKind, string>> = {
  offline: 'No connection',
  signed_out: 'You are signed out',
  forbidden: 'You do not have permission',
  not_found: 'Not found',
  conflict: 'It has changed meanwhile',
  invalid: 'The request was refused',
  rate_limited: 'Too many requests',
  unavailable: 'Something went wrong',
};

export type ProblemNoteProps = { error: unknown; title?: string; onRetry?: () => void; children?: ReactNode };

/** What happened, with the id under which an operator finds the request. */
export function ProblemNote({ error, title, onRetry, children }: ProblemNoteProps) {
  const { kind, message, requestId } = asProblem(error);
  return (
    <div role="alert" className={styles['note']}>
      <strong>{title ?? titles[kind]}</strong>
      <span>{message}</span>
      {children}
      {requestId && <span className={styles['small']}>Request {requestId}</span>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export type EmptyStateProps = { title: string; children: ReactNode; action?: ReactNode };

/** Says what would be here, and what to do next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

export const Loading = () => (
  <p className={styles['loading']} role="status">
    Loading …
  </p>
);

/**
 * Shown while there is no data: a loading note, or why reading failed. Data that was read stays when a later read
 * fails, which StaleNote reports.
 */
export const NotRead = ({ error, ...props }: ProblemNoteProps) =>
  error ? <ProblemNote error={error} {...props} /> : <Loading />;
