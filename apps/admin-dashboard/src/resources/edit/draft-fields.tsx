import { type ComponentProps, useState } from 'react';
import { readDraft, removeDraftsOf, writeDraft } from '../../api/drafts.ts';
import { currentUserId } from '../../api/session.ts';
import { TextArea, TextField } from '../../parts/field.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import type { Texts } from './versions.ts';

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

/**
 * The initial values of a form: `start`, or what was typed before the form was closed or the page reloaded. Call `keep`
 * on changes. Not for secrets.
 */
export function useFormDraft<T extends Texts>(draft: string, start: T): { texts: T; keep: (texts: Texts) => void } {
  const userId = currentUserId();
  const key = `${draft}:form`;
  const [texts] = useState(() => ({ ...start, ...keptTexts(readDraft(userId, key), start) }));
  return { texts, keep: (typed) => writeDraft(userId, key, JSON.stringify(typed)) };
}

function keptTexts(text: string, start: Texts): Texts {
  const kept = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const known = Object.entries(kept).filter(([name, value]) => name in start && typeof value === 'string');
  return Object.fromEntries(known) as Texts;
}

/** Deletes the draft of a form that was sent. */
export const forgetDrafts = (draft: string): void => removeDraftsOf(currentUserId(), `${draft}:`);
