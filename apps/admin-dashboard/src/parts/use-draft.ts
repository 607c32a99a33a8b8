import { useState } from 'react';

const prefix = 'eas-draft:';

function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(prefix + key) ?? '';
  } catch {
    return '';
  }
}

/** A text that is kept while it is not sent, also when the page is left or loaded again. Setting '' forgets it. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [state, setState] = useState({ key, text: readDraft(key) });
  const text = state.key === key ? state.text : readDraft(key);
  const setText = (next: string) => {
    setState({ key, text: next });
    try {
      if (next === '') sessionStorage.removeItem(prefix + key);
      else sessionStorage.setItem(prefix + key, next);
    } catch {
      // Storage is full or closed: the text stays as long as the page.
    }
  };
  return [text, setText];
}
