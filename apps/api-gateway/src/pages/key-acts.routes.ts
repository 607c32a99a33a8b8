import { getApiKey, revokeApiKey, rotateApiKey } from '@eas/access';
import { type KeyResource, type Principal, rotateKeyBody } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { askFirst } from './ask-first.ts';
import { readAs, submit, untouched } from './form.ts';
import { numberOf } from './key-form.ts';
import { keysPath, shownKey } from './keys.routes.ts';
import { showOnce } from './made.routes.ts';
import { adminPage, page, type PageParts, redirect, typed } from './page.ts';
import type { Field, FormState } from './views.ts';

const params = z.object({ id: z.string().max(128) });
const rotatePath = `${keysPath}/{id}/rotate`;

const overlapField: Field = {
  name: 'overlap_seconds',
  label: 'The old key stays valid',
  hint: 'Time to replace the key in your programs.',
  type: 'radio',
  options: { 0: 'not at all', 3600: 'for an hour', 86400: 'for a day', 604800: 'for a week' },
};
const read = readAs(rotateKeyBody);
const overlapOf = (text: string) => read({ overlap_seconds: numberOf(text) }).overlap_seconds;

export function keyActRoutes({ render, cookies }: PageParts): Route[] {
  const rotatePage = (principal: Principal, key: KeyResource, form: FormState) =>
    render(
      'form',
      { title: `Rotate ${key.name}`, principal, section: keysPath },
      {
        intro: ['The key gets a new value. Its name, scopes and limits stay the same.', shownText(key)],
        action: `${keysPath}/${key.id}/rotate`,
        fields: [overlapField],
        form,
        submit: 'Rotate key',
        back: keysPath,
      },
    );
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: rotatePath,
      summary: 'The form that rotates an API key',
      params,
      responses: { 200: page('The form.') },
      handler: async (ctx, { params: { id }, principal }) => {
        const { body: key } = await getApiKey(ctx, id);
        return { status: 200, body: rotatePage(principal, key, untouched({ overlap_seconds: '0' })) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path: rotatePath,
      summary: 'Rotate an API key',
      params,
      form: z.object({ overlap_seconds: typed(64).default('0') }),
      responses: {
        303: redirect,
        400: page('The form once more.'),
        403: page('The form once more: the key has scopes that the caller lacks.'),
        409: page('The form once more: the key cannot be changed any more.'),
      },
      handler: async (ctx, { params: { id }, body: values, principal }) => {
        const { scopes } = principal;
        const outcome = await submit({ values, fields: [overlapField] }, async () =>
          rotateApiKey(ctx, { id, overlapSeconds: overlapOf(values.overlap_seconds), scopes }),
        );
        if ('refused' in outcome) {
          const { status, form } = outcome.refused;
          return { status, body: rotatePage(principal, (await getApiKey(ctx, id)).body, form) };
        }
        return showOnce(ctx, cookies, principal, shownKey('The key has a new value.', outcome.done.body));
      },
    }),
    ...askFirst(render, {
      section: keysPath,
      verb: 'revoke',
      summary: 'Revoke an API key',
      ask: async (ctx, id) => {
        const { body: key } = await getApiKey(ctx, id);
        const intro = ['Requests with this key are refused from now on. This cannot be undone.', shownText(key)];
        return { title: `Revoke ${key.name}?`, intro };
      },
      submit: 'Revoke key',
      act: (ctx, id) => revokeApiKey(ctx, { id, ifMatch: undefined }),
      done: 'revoked',
    }),
  ];
}

const shownText = ({ prefix, last_four }: KeyResource) => `Key: ${prefix}…${last_four}`;
