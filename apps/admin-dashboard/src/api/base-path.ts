/** The path of BASE_URL, without a final slash; '' as a rule. The gateway writes it into the page. */
export const basePath = readBasePath();

function readBasePath(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name=base-path]')?.content ?? '';
  return content.startsWith('{{') ? '' : content;
}
