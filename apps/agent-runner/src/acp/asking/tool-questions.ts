import { z } from 'zod';
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

/** The form of a request for permission that is a question to a person, as Qwen Code sends it; undefined for others. */
export function formIn({ toolCall }: PermissionRequest): { message: string; schema: object } | undefined {
  const questions = asked.safeParse(toolCall).data?._meta.qwenQuestions;
  const [first] = questions ?? [];
  if (!questions || !first) return undefined;
  const properties = questions.map(({ question: title, multiSelect, options }) => {
    const values = options?.map(({ label }) => label);
    return multiSelect ? { type: 'array', title, items: { enum: values } } : { type: 'string', title, enum: values };
  });
  const message = questions.length === 1 ? first.question : 'Several questions';
  return { message, schema: { type: 'object', properties: Object.fromEntries(properties.entries()) } };
}
