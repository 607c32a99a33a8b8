/** A user-supplied URL: a link if it leads to a web page, else text. */
export function SafeLink({ url, children }: { url: string; children?: string | undefined }) {
  if (!/^https?:\/\//i.test(url)) return <bdi>{children ?? url}</bdi>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children ?? url}</bdi>
    </a>
  );
}
