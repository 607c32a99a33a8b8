import { isAbsolute, relative, resolve, sep } from 'node:path';
import { cleanText } from '../../clean-text.ts';

/** How the service gets the path of a file: relative to the folder that the agent works in, else absolute. */
export function shownPath(folder: string, path: string): string {
  const clean = cleanText(path);
  if (clean.trim() === '') return '?';
  const absolute = resolve(folder, clean);
  const inside = relative(folder, absolute) || '.';
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (isOutside ? absolute : inside).replaceAll(sep, '/');
}
