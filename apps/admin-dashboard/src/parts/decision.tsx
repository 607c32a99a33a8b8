import type { ReactNode } from 'react';
import styles from './decision.module.css';
import parts from './parts.module.css';
import type { Seeing } from './use-seeing.ts';

type DecisionProps = { seeing: Seeing; children: ReactNode };

/** What a person decides about: it must be on screen before a decision. */
export const Subject = ({ seeing, children }: DecisionProps) => (
  <div ref={seeing.subject} role="group" aria-label="What you decide about" tabIndex={-1} className={styles['subject']}>
    <span data-edge="start" className={styles['edge']} />
    {children}
    <span data-edge="end" className={styles['edge']} />
  </div>
);

/** The buttons that decide: the last part of a form, always at the bottom of the window, never covering the end. */
export const DecisionBar = ({ seeing, children }: DecisionProps) => (
  <div ref={seeing.bar} className={styles['bar']}>
    {children}
    <p role="status" className={parts['small']}>
      {seeing.hint}
    </p>
  </div>
);

/** Replaces the buttons while a decision can be undone. */
export const HeldNote = () => (
  <p className={styles['held']}>
    <strong>You have decided. It is sent when it can no longer be undone.</strong>
  </p>
);
