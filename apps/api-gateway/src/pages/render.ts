import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Principal } from '@eas/contracts';
import type { ErrorPage } from '@eas/http';
import { Eta } from 'eta/core';
import type { Views } from './views.ts';

type PageHead = {
  title: string;
  /** The person who is signed in, for whom a sign-out button is shown. */
  principal?: Principal;
  notice?: string | undefined;
};

export type Render = <T extends keyof Views>(template: T, head: PageHead, view: Views[T]) => string;

const templates = join(import.meta.dirname, 'templates');

/** Loads the templates. They escape whatever they print, and a value that is missing is an error. */
export function createRender(baseUrl: string): Render {
  const eta = new Eta({ autoEscape: true, autoFilter: true, filterFunction: textOf });
  for (const file of readdirSync(templates))
    eta.loadTemplate(parse(file).name, readFileSync(join(templates, file), 'utf8'));
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const at = (path: string) => basePath + path;
  return (template, { title, principal, notice }, view) => {
    const csrfToken = principal?.csrfToken;
    const around = { at, title, notice, csrfToken, hasProblem: hasProblem(view) };
    const body = eta.render(template, { ...around, ...view });
    return eta.render('layout', { ...around, body });
  };
}

export const createRenderErrorPage =
  (render: Render) =>
  ({ status, message, requestId }: ErrorPage): string => {
    const title = errorTitles[status] ?? (status < 500 ? 'The request was refused' : 'Something went wrong');
    const links = [{ path: '/admin', label: 'Go to the start page' }];
    return render('message', { title }, { texts: [message], links, requestId });
  };

/** The start page of a service whose dashboard was not built. */
export const renderMissingDashboard = (render: Render, principal: Principal): string =>
  render(
    'message',
    { title: 'The dashboard is not built', principal },
    {
      texts: ['Run npm run setup and restart the service. The API works without the dashboard.'],
      links: [{ path: '/docs', label: 'API documentation' }],
    },
  );

const errorTitles: Record<number, string> = {
  403: 'You do not have permission',
  404: 'Page not found',
  429: 'Too many attempts',
};

function textOf(value: unknown): string {
  if (value === undefined || value === null) throw new Error('a page lacks a value');
  return String(value);
}

function hasProblem(view: Views[keyof Views]): boolean {
  return 'form' in view && (view.form.problem !== undefined || Object.keys(view.form.errors).length > 0);
}
