import { useState } from 'react';
import { readDraft, writeDraft } from '../api/drafts.ts';
import { currentUserId } from '../api/session.ts';

/** A text that is kept while it is not sent, also when the page is left or loaded again. Setting '' forgets it. */
export function useDraft(key: string): [string, (text: string) => void] {
  const userId = currentUserId();
  const [state, setState] = useState({ key, text: readDraft(userId, key) });
  const text = state.key === key ? state.text : readDraft(userId, key);
  const setText = (next: string) => {
    setState({ key, text: next });
    writeDraft(userId, key, next);
  };
  return [text, setText];
}
