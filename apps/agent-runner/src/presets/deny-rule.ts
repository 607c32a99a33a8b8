/** A tool that an agent may not use: its kind or name, and what it is used for (`matchesGlob`). */
export type DenyRule = { tool: string; pattern: string };

/** `execute`, `fetch:*://*.internal/*`, `Bash:git push*`; `*` matches any text. Undefined for an invalid rule. */
export function readDenyRule(text: string): DenyRule | undefined {
  const [, tool, pattern = '*'] = /^([\w-]+|\*)(?::(.+))?$/s.exec(text) ?? [];
  return tool === undefined ? undefined : { tool: tool.toLowerCase(), pattern };
}
