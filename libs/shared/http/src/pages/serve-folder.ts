import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import express, { type Request, type Response } from 'express';
import type { Mount } from '../exchange/http-deps.ts';

export type ServeFolderOptions = {
  /** Where the folder's files appear: `/docs/assets`. */
  path: string;
  folder: string;
  /** The files of it that are served; left out, all. */
  files?: readonly string[];
  /** For pages among the files, which may load nothing without it. */
  contentSecurityPolicy?: string;
  /** Names change with contents, so browsers may keep them for a year; `x.br` and `x.gz` are compressed forms of `x`. */
  isHashed?: boolean;
};

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** Mounts a folder of static files: GET and HEAD, no listing, no dotfiles. Other paths go on to the routes. */
export function serveFolder({ path, folder, files, contentSecurityPolicy, isHashed }: ServeFolderOptions): Mount {
  const serve = express.static(folder, {
    dotfiles: 'ignore',
    etag: false,
    index: false,
    immutable: isHashed === true,
    maxAge: isHashed ? yearMs : hourMs,
    redirect: false,
    setHeaders: (response) => {
      if (contentSecurityPolicy) response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    },
  });
  const stored: ReadonlySet<string> = new Set(isHashed ? readdirSync(folder) : []);
  const handler: Mount['handler'] = (request, response, next) => {
    if (files && !files.includes(request.path.slice(1))) return next();
    if (isHashed) chooseCompressed(request, response, stored);
    return serve(request, response, next);
  };
  return { path, handler };
}

const suffixes = { br: '.br', gzip: '.gz' } as const;
/** The smallest first: browsers name gzip before br. */
const encodings = ['br', 'gzip'] as const;

function chooseCompressed(request: Request, response: Response, stored: ReadonlySet<string>): void {
  const name = request.path.slice(1);
  if (!stored.has(`${name}.br`) || !stored.has(`${name}.gz`)) return;
  response.vary('Accept-Encoding');
  const encoding = encodings.find((one) => request.acceptsEncodings(one) === one);
  if (!encoding) return;
  response.setHeader('Content-Encoding', encoding);
  response.type(extname(name));
  request.url = `/${name}${suffixes[encoding]}`;
}
