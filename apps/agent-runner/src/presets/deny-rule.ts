/** A tool that an agent may not use: its kind or name, and what it is used for. */
export type DenyRule = { tool: string; pattern: RegExp };

/** `execute`, `fetch:*://*.internal/*`, `Bash:git push*`; `*` stands for any text. Undefined for a text that is no rule. */
export function readDenyRule(text: string): DenyRule | undefined {
  const [, tool, pattern = '*'] = /^([\w-]+|\*)(?::(.+))?$/s.exec(text) ?? [];
  if (tool === undefined) return undefined;
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
  return { tool: tool.toLowerCase(), pattern: new RegExp(`^${escaped}$`, 'is') };
}
