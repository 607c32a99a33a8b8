import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { UIConfig } from '@bull-board/api/typings/app';

export const boardFolder = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** Scripts and styles of the page, served below `static/` of its path. */
export const boardAssets = join(boardFolder, 'dist/static');

/** Accessibility additions to the library's page, served below `page/` of its path. */
export const boardAdditions = join(import.meta.dirname, 'page');

const template = readFileSync(join(boardFolder, 'dist/index.ejs'), 'utf8');

export type BoardPage = {
  title: string;
  /** The board's own path, with a final slash. */ path: string;
  uiConfig: UIConfig;
};

/**
 * The page that loads the board. It takes only the file names from the library's own page, which has inline styles and fonts of another site.
 */
export function renderBoardPage({ title, path, uiConfig }: BoardPage): string {
  const config = JSON.stringify(uiConfig).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base href="${path}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" id="fav-logo" href="static/images/logo.svg">
${filesOf(/<link href="(static\/[^"]+\.css)" rel="stylesheet">/g, (file) => `<link rel="stylesheet" href="${file}">`)}
<link rel="stylesheet" href="page/contrast.css">
<script defer src="page/names.js"></script>
</head>
<body>
<script id="__UI_CONFIG__" type="application/json">${config}</script>
<div id="root"></div>
${filesOf(/<script defer src="(static\/[^"]+\.js)"><\/script>/g, (file) => `<script defer src="${file}"></script>`)}
</body>
</html>
`;
}

function filesOf(tag: RegExp, write: (file: string) => string): string {
  const files = [...template.matchAll(tag)].map(([, file = '']) => file);
  if (files.length === 0) throw new Error('the page of the queue board names no files');
  return files.map(write).join('\n');
}
