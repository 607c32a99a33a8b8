// Kinds of breaking changes: who is affected, and what to do instead.
const KINDS = {
  operation: {
    breaks: 'Clients that call it get 404 or 405.',
    instead: 'Keep it, set `deprecated: true`, and leave it out of /v2.',
  },
  name: {
    breaks: 'Clients generated from the new document no longer compile: a function, type or module has another name.',
    instead: 'Keep the published name.',
  },
  request: {
    breaks: 'Requests that were valid are refused, or mean something else.',
    instead: 'Keep accepting them; put the new rule on a new optional field, parameter or operation.',
  },
  response: {
    breaks: 'Clients read something that is no longer there, or get a value that they do not know.',
    instead: 'Keep the field and its values, and add a new field.',
  },
  status: {
    breaks: 'Clients branch on status codes that were published.',
    instead: 'Keep the status codes; give a new outcome its own operation, or a new error code under the same status.',
  },
  stored: {
    breaks: 'Processes of the release cannot read what this version stores, or this version not what they stored.',
    instead: 'Keep the field and what it may be; add an optional field, an event or a job.',
  },
  security: {
    breaks: 'Credentials that work today get 401 or 403.',
    instead: 'Keep accepting them; add the new scheme or scope as an alternative.',
  },
} as const;

export type Kind = keyof typeof KINDS;

/** `location`: operation and part; `what`: the change. Both together name the break. */
export type Break = { kind: Kind; location: string; what: string };

export const nameOf = ({ location, what }: Break): string => `${location}: ${what}`;

export function describeBreaks(breaks: readonly Break[]): string {
  const groups = Object.entries(KINDS).flatMap(([kind, { breaks: affected, instead }]) => {
    const lines = breaks.filter((found) => found.kind === kind).map((found) => `  - ${nameOf(found)}`);
    return lines.length === 0 ? [] : [[...lines, `  ${affected} ${instead}`].join('\n')];
  });
  return groups.join('\n\n');
}

export type AcceptedBreaks = Readonly<Record<string, string>>;

export function sortBreaks(breaks: readonly Break[], accepted: AcceptedBreaks) {
  const names = new Set(breaks.map(nameOf));
  return {
    refused: breaks.filter((found) => accepted[nameOf(found)] === undefined),
    stale: Object.keys(accepted).filter((name) => !names.has(name)),
  };
}
