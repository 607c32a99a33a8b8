import type { Schemas } from '../api/client.ts';
import type { Texts } from '../resources/edit/versions.ts';
import { textIn } from '../resources/edit/text-in.ts';

/** The fields of `write_back`, by the names that the form gives them. */
export const reportingLabels = {
  'write_back.status.completed': 'Status of completed tasks',
  'write_back.keeps_status': 'Leave the status of completed tasks as it is',
  'write_back.comments': 'Post results and questions as comments',
};
type Name = keyof typeof reportingLabels;

export const reportingTexts = ({ status, comments }: Schemas['WriteBack'] = {}): Record<Name, string> => ({
  'write_back.status.completed': status?.completed || '',
  'write_back.keeps_status': status?.completed === false ? 'on' : '',
  'write_back.comments': comments === false ? '' : 'on',
});

/** `write_back` as the API takes it; undefined if all of it is the default. */
export function reportingOf(form: FormData, isNew: boolean): Schemas['ChangeWriteBack'] | undefined {
  const textOf = (name: Name) => textIn(form, name);
  const word = textOf('write_back.status.completed');
  const completed = textOf('write_back.keeps_status') === 'on' ? false : word || null;
  const comments = textOf('write_back.comments') === 'on';
  if (!isNew) return { status: { completed }, comments };
  if (completed === null && comments) return undefined;
  return { ...(completed === null ? {} : { status: { completed } }), comments };
}

export const reportingDefaults: Texts = reportingTexts();
