// Links and headings of a Markdown text; pure, so that it can be tested.
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Targets of links and images that stay in the repository: what has no scheme. */
export function linksOf(text: string): string[] {
  const inline = [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const referenced = [...withoutCode(text).matchAll(/^\[[^\]]+\]:\s+<?([^\s>]+)/gm)];
  return [...inline, ...referenced]
    .map(([, link = '']) => link)
    .filter((link) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link));
}

/** What `#…` may name: headings as code hosts turn them into anchors. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6}\s+(.+)$/gm)];
  const slugs = headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
  return new Set(slugs);
}
