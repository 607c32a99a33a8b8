import { useSyncExternalStore } from 'react';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'eas-theme';
const listeners = new Set<() => void>();
let theme: Theme = readTheme();

function readTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function setTheme(next: Theme): void {
  theme = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // Without storage the theme lasts until the page is closed.
  }
  applyTheme();
  listeners.forEach((listener) => listener());
}

export const nextTheme = (): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
