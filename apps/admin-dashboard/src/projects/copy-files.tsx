import { useState } from 'react';
import { TextArea } from '../parts/field.tsx';

/** Two rows: most lists are no longer. */
export const twoLines = { minHeight: '3.2rem' };

type CopyProps = { files: readonly string[]; error: string | undefined; onChange: (files: string[]) => void };

/** Text stays as typed: an empty line may become the next entry. */
export function CopyFiles({ files, error, onChange }: CopyProps) {
  const [text, setText] = useState(files.join('\n'));
  const type = (typed: string) => {
    setText(typed);
    const lines = typed.split('\n').map((line) => line.trim());
    onChange(lines.filter((line) => line !== ''));
  };
  return (
    <TextArea
      label="Files to copy"
      hint="One a line, such as .env: files that the repository does not have. Globs are fine."
      rows={2}
      style={twoLines}
      value={text}
      onChange={({ target }) => type(target.value)}
      error={error}
    />
  );
}
