import { describe, expect, it } from '@jest/globals';
import { anchorsOf, linksOf } from './markdown-links.ts';

describe('linksOf', () => {
  it('finds inline, image and reference links of the repository', () => {
    const text = '[a](docs/a.md) ![b](images/b.png) [d](../d.md#part "title")\n\n[e]: ./e.md\n';
    expect(linksOf(text)).toEqual(['docs/a.md', 'images/b.png', '../d.md#part', './e.md']);
  });

  it('passes over other sites, mail and code', () => {
    const text = '[a](https://example.com/a) [b](mailto:b@example.com) `[c](c.md)`\n\n```sh\n[d](d.md)\n```\n';
    expect(linksOf(text)).toEqual([]);
  });
});

describe('anchorsOf', () => {
  it('makes anchors as code hosts do', () => {
    const text = '# 4. Outbox: what is owed\n\n## DATA_DIR\n\n```sh\n# not a heading\n```\n';
    expect([...anchorsOf(text)]).toEqual(['4-outbox-what-is-owed', 'data_dir']);
  });
});
