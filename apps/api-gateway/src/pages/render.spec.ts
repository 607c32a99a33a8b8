import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Principal } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { untouched } from './form.ts';
import { createRender, createRenderErrorPage, renderMissingDashboard } from './render.ts';
import type { FormView } from './views.ts';

const render = createRender('https://service.example');
const nasty = '<script>alert("1")</script>\'&';
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;';
const view: FormView = {
  intro: [nasty],
  action: '/sign-in',
  hidden: { return_to: nasty },
  fields: [{ name: 'name', label: nasty, hint: nasty, type: 'text' }],
  form: { values: { name: nasty }, errors: { name: nasty }, problem: nasty },
  submit: nasty,
};

describe('a page', () => {
  it('escapes whatever it shows, wherever it shows it', () => {
    const html = render('form', { title: nasty, notice: nasty }, view);
    expect(html).not.toContain('<script');
    expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(9);
  });

  it('shows at a field what is wrong with it, and keeps what was typed', () => {
    const form = { values: { name: 'Ada' }, errors: { name: 'Name is too long.' } };
    const html = render('form', { title: 'T' }, { ...view, form });
    expect(html).toContain('<title>Error: T');
    expect(html).toContain('value="Ada"');
    expect(html).toMatch(/aria-describedby="name-hint name-error"\s+aria-invalid="true"/);
    expect(html).toContain('<a href="#name">Name is too long.</a>');
  });

  it('never shows a password again', () => {
    const fields = [{ name: 'password', label: 'Password', type: 'password' }] as const;
    const html = render('form', { title: 'T' }, { ...view, fields, form: untouched({ password: 'secret' }) });
    expect(html).not.toContain('secret');
  });

  it('is an error when a value is missing', () => {
    const incomplete = { ...view, submit: undefined } as unknown as FormView;
    expect(() => render('form', { title: 'T' }, incomplete)).toThrow('a page lacks a value');
  });

  it('links below the path of the base URL', () => {
    const html = createRender('https://service.example/eas/')('form', { title: 'T' }, { ...view, form: untouched() });
    expect(html).toContain('href="/eas/admin/assets/pages.css"');
    expect(html).toContain('action="/eas/sign-in"');
    expect(html).not.toMatch(/(href|action)="\/(?!eas\/)/);
  });

  it('prints nothing raw but other templates', () => {
    const folder = join(import.meta.dirname, 'templates');
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (const [, raw = ''] of text.matchAll(/<%~([^%]*)%>/g))
        expect(raw.trim()).toMatch(/^(include\(.*\)|it\.body)$/);
    }
  });
});

it('an error page shows the request ID and the message of the error', () => {
  const html = createRenderErrorPage(render)({ status: 403, message: nasty, requestId: 'req_1' });
  expect(html).toContain(escaped);
  expect(html).toContain('<code>req_1</code>');
});

it('the page of a dashboard that was not built says what to run, and lets the person sign out', () => {
  const html = renderMissingDashboard(render, { csrfToken: nasty } as Principal);
  expect(html).toContain('npm run setup');
  expect(html).toContain(`action="/sign-out">\n<input type="hidden" name="csrf_token" value="${escaped}">`);
});
