/**
 * Whether a text matches a pattern in which `*` matches any text, including none; case-insensitive. Each part between
 * two stars is searched once, after the previous one, so the time is linear in the text.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const whole = text.toLowerCase();
  const last = parts.pop();
  if (last === undefined) return whole === first;
  const end = whole.length - last.length;
  if (end < first.length || !whole.startsWith(first) || !whole.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = whole.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= end;
}
