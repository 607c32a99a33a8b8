import parts from '../parts/parts.module.css';
import { SafeLink } from '../parts/safe-link.tsx';
import { ChecksPart, Command } from '../resources/checks/checks-part.tsx';
import { Facts } from '../resources/facts.tsx';
import { type Repository, shortNameOf } from './project-values.ts';
import styles from './projects.module.css';
import { Tags } from './tags.tsx';

/** A repository of a project, with its commands. */
export function GitPart({ repository }: { repository: Repository }) {
  const { url, base_branch: branch, setup, copy_files: files, checks } = repository;
  const facts = {
    Address: <SafeLink url={url} />,
    'Base branch': <code>{branch}</code>,
    Setup: setup === null ? 'none' : <Command text={setup} />,
    'Copied files': files.length > 0 && <Tags texts={files} />,
  };
  return (
    <section aria-label={shortNameOf(url)} className={styles['repository']}>
      <h2 dir="auto">{shortNameOf(url)}</h2>
      <Facts facts={facts} />
      {checks.length === 0 ? (
        <p className={parts['small']}>No checks.</p>
      ) : (
        <>
          <h3>Checks</h3>
          <ChecksPart checks={checks} />
        </>
      )}
    </section>
  );
}
