import { useState } from 'react';
import { readDraft, writeDraft } from '../api/drafts.ts';
import { currentUserId } from '../api/session.ts';

/** An unsent text, which survives navigation and reloads. Setting '' deletes it. */
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
