import { z } from 'zod';
import { type Field, fieldsOf } from './form.ts';
import type { PermissionRequest } from './permission.ts';

const question = z.looseObject({
  question: z.string(),
  multiSelect: z.boolean().nullish(),
  options: z
    .array(z.looseObject({ label: z.string() }))
    .max(100)
    .nullish(),
});
const asked = z.looseObject({
  _meta: z.looseObject({ qwenQuestions: z.array(question).min(1).max(10) }),
});

/** The questions of a request for permission that is one to a person, as Qwen Code sends it; undefined for others. */
export function questionsIn({ toolCall }: PermissionRequest): Field[] | undefined {
  const { data } = asked.safeParse(toolCall);
  return data?._meta.qwenQuestions.flatMap(({ question: text, multiSelect, options }, index) => {
    const labels = options?.map(({ label }) => label);
    const property = multiSelect ? { type: 'array', items: { enum: labels } } : { type: 'string', enum: labels };
    return fieldsOf(text, { properties: { [index]: property } }) ?? [];
  });
}
