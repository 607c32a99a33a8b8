import type { ComponentProps } from 'react';
import { TextArea, TextField } from '../parts/field.tsx';
import { useDraft } from '../parts/use-draft.ts';

type DraftProps = { draft: string; name: string };

/** A field whose text is kept until `forgetDrafts`; not for secrets. */
export function DraftText({ draft, ...props }: DraftProps & ComponentProps<typeof TextField>) {
  const [text, setText] = useDraft(`${draft}:${props.name}`);
  return <TextField {...props} value={text} onChange={({ target }) => setText(target.value)} />;
}

export function DraftArea({ draft, ...props }: DraftProps & ComponentProps<typeof TextArea>) {
  const [text, setText] = useDraft(`${draft}:${props.name}`);
  return <TextArea {...props} value={text} onChange={({ target }) => setText(target.value)} />;
}

/** Forgets what was typed into a form that was sent. */
export function forgetDrafts(draft: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(`eas-draft:${draft}:`));
    keys.forEach((key) => sessionStorage.removeItem(key));
  } catch {
    // Storage is closed: nothing was kept.
  }
}
