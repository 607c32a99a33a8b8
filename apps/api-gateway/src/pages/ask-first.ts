import type { Principal } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { untouched } from './form.ts';
import { adminPage, page, redirect } from './page.ts';
import type { Render } from './render.ts';

export type Question = {
  /** Path of the list that the thing is in; the question's is `<section>/{id}/<verb>`. */
  section: string;
  verb: string;
  summary: string;
  /** Throws not_found for what is not there. */
  ask: (ctx: UseCaseContext, id: string) => Promise<{ title: string; intro: readonly string[] }>;
  submit: string;
  act: (ctx: UseCaseContext, id: string, principal: Principal) => Promise<unknown>;
  /** The word for which the list has a notice. */
  done: string;
};

export function askFirst(render: Render, { section, verb, summary, ask, submit, act, done }: Question): Route[] {
  const path = `${section}/{id}/${verb}`;
  const params = z.object({ id: z.string().max(128) });
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path,
      summary: `${summary}: the question`,
      params,
      responses: { 200: page('The question.') },
      handler: async (ctx, { params: { id }, principal }) => {
        const { title, intro } = await ask(ctx, id);
        const action = `${section}/${encodeURIComponent(id)}/${verb}`;
        const view = { intro, action, fields: [], form: untouched(), submit, isDangerous: true, back: section };
        return { status: 200, body: render('form', { title, principal, section }, view) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path,
      summary,
      params,
      form: z.object({}),
      responses: { 303: redirect },
      handler: async (ctx, { params: { id }, principal }) => {
        await act(ctx, id, principal);
        return { status: 303, headers: { Location: `${section}?done=${done}` } };
      },
    }),
  ];
}
