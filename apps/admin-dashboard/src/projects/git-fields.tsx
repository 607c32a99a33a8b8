import { useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { TextArea, TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import { CheckFields } from '../resources/checks/check-fields.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { CopyFiles, twoLines } from './copy-files.tsx';
import { newRepository, type Repository, repositoriesOf, textOfRepositories } from './project-values.ts';
import styles from './projects.module.css';

/** `key` stays with a repository when another one is removed. */
type Entry = { key: number; repository: Repository };
const entryOf = (repository: Repository, key: number): Entry => ({ key, repository });
const textOf = (entries: readonly Entry[]) => textOfRepositories(entries.map(({ repository }) => repository));

/** Repositories one below the other; a hidden field has all of them as the form sends them. */
export function RepositoryFields({ text, errors }: { text: string; errors: Texts }) {
  const field = useRef<HTMLInputElement>(null);
  const [entries, setEntries] = useState(() => repositoriesOf(text).map(entryOf));
  const set = (next: Entry[]) => {
    // The form reads its fields before this is drawn again.
    if (field.current) field.current.value = textOf(next);
    setEntries(next);
  };
  const own = errors['repositories'];
  return (
    <>
      <input ref={field} type="hidden" name="repositories" value={textOf(entries)} />
      {entries.map(({ key, repository }, at) => (
        <OneRepository
          key={key}
          number={at}
          repository={repository}
          errors={errors}
          onChange={(changed) => set(entries.with(at, entryOf(changed, key)))}
          onRemove={() => set(entries.toSpliced(at, 1))}
        />
      ))}
      {own !== undefined && <p className={parts['error']}>{own}</p>}
      <Button onClick={() => set([...entries, entryOf(newRepository, (entries.at(-1)?.key ?? 0) + 1)])}>
        Add a repository
      </Button>
    </>
  );
}

type OneProps = {
  number: number;
  repository: Repository;
  errors: Texts;
  onChange: (repository: Repository) => void;
  onRemove: () => void;
};

function OneRepository({ number, repository, errors, onChange, onRemove }: OneProps) {
  const errorIn = (name: string) => errorOf(errors, `repositories.${number}.${name}`);
  const set = (change: Partial<Repository>) => onChange({ ...repository, ...change });
  return (
    <fieldset className={styles['group']}>
      <legend>Repository {number + 1}</legend>
      <TextField
        label="Address"
        hint="https, ssh or git@host:owner/name.git, without a password."
        value={repository.url}
        onChange={({ target }) => set({ url: target.value.trim() })}
        error={errorIn('url')}
        maxLength={2_048}
        required
      />
      <TextField
        label="Base branch"
        value={repository.base_branch}
        onChange={({ target }) => set({ base_branch: target.value.trim() })}
        error={errorIn('base_branch')}
        required
      />
      <TextArea
        label="Setup"
        hint="Shell command that runs once in each new worktree, such as npm ci. Empty: none."
        rows={2}
        style={twoLines}
        value={repository.setup ?? ''}
        onChange={({ target }) => set({ setup: target.value || null })}
        error={errorIn('setup')}
      />
      <CopyFiles
        files={repository.copy_files}
        error={errorIn('copy_files')}
        onChange={(copy_files) => set({ copy_files })}
      />
      <CheckFields
        path={`repositories.${number}.checks`}
        checks={repository.checks}
        errors={errors}
        onChange={(checks) => set({ checks })}
      />
      <Button onClick={onRemove}>Remove the repository</Button>
    </fieldset>
  );
}
