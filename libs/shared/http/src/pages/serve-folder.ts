import express from 'express';
import type { Mount } from '../exchange/door-deps.ts';

export type ServeFolderOptions = {
  /** Where the folder's files appear: `/docs/assets`. */
  path: string;
  folder: string;
  /** The files of it that are served; left out, all. */
  files?: readonly string[];
  /** For pages among the files, which may load nothing without it. */
  contentSecurityPolicy?: string;
};

const maxAgeMs = 3_600_000;

/** Mounts a folder of static files: GET and HEAD, no listing, no dotfiles. What it does not hold goes on to the routes. */
export function serveFolder({ path, folder, files, contentSecurityPolicy }: ServeFolderOptions): Mount {
  const serve = express.static(folder, {
    dotfiles: 'ignore',
    etag: false,
    index: false,
    maxAge: maxAgeMs,
    redirect: false,
    setHeaders: (response) => {
      if (contentSecurityPolicy) response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    },
  });
  const handler: Mount['handler'] = (request, response, next) =>
    files && !files.includes(request.path.slice(1)) ? next() : serve(request, response, next);
  return { path, handler };
}
