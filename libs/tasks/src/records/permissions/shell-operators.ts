const operator = /\$\(|[<>]\(|[;&|<>`\n\r]/g;

/** What joins commands, redirects them or runs one inside another, in order. */
const operatorsIn = (text: string): string => (text.match(operator) ?? []).join(' ');

/** Whether the wildcards of a pattern that matches a command cover none of its operators. */
export const hasSameOperators = (pattern: string, command: string): boolean =>
  operatorsIn(pattern) === operatorsIn(command);
