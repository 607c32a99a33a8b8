import { contentViolations, type Form, type FormContent, type FormField, optionsOf, readValue } from '@eas/contracts';
import { askOption, askOptions, askText } from './ask.ts';
import { type Output, plain } from './output.ts';

/** Asks for one field after the other, again where the answer does not fit; what is empty is left out. */
export async function fillInForm(form: Form, { say }: Pick<Output, 'say'>): Promise<FormContent> {
  const content: FormContent = {};
  for (const [key, field] of Object.entries(form.properties)) {
    for (;;) {
      const value = await askField(labelOf(form, key, field), field);
      if (value !== undefined) content[key] = value;
      const problem = contentViolations(form, content).find((one) => one.field === `content.${key}`);
      if (!problem) break;
      delete content[key];
      say(`${key} ${problem.message ?? 'does not fit'}.`);
    }
  }
  return content;
}

function labelOf({ required = [] }: Form, key: string, { title = key, description }: FormField): string {
  const more = description === undefined ? '' : `: ${plain(description)}`;
  return `${plain(title)}${more}${required.includes(key) ? '' : ' (empty: none)'}`;
}

const none = '';

async function askField(label: string, field: FormField): Promise<FormContent[string] | undefined> {
  if (field.type === 'array') return askOptions(label, shownOptions(field));
  const options = field.type === 'boolean' ? yesOrNo : shownOptions(field);
  const text =
    options.length > 0
      ? await askOption(label, [...options, { value: none, label: 'No answer' }])
      : await askText(label);
  return text === none ? undefined : readValue(field, text);
}

const yesOrNo = ['yes', 'no'].map((value) => ({ value, label: value }));

const shownOptions = (field: FormField) => optionsOf(field).map(({ value, label }) => ({ value, label: plain(label) }));
