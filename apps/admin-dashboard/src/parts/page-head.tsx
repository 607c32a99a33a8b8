import { type ReactNode, useEffect, useRef } from 'react';
import styles from './parts.module.css';

export type PageHeadProps = { title: string; before?: ReactNode; children?: ReactNode };

/** Title and actions of a page. After navigation the title gets the focus, so that screen readers announce the page. */
export function PageHead({ title, before, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement.closest('nav, [data-opens-page]')) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  useEffect(() => {
    document.title = `${title} – Engineering Agent Service`;
  }, [title]);
  return (
    <header className={styles['head']}>
      {before}
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {title}
      </h1>
      {children && <div className={styles['actions']}>{children}</div>}
    </header>
  );
}
