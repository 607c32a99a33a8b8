import type { Tool } from './bind-tools.ts';

/** Each combination of scopes has a list of tools; this is the maximum number of cached lists. */
const maxKept = 100;
const noTools = '"tools":[]';

/** The JSON of tools, cached for each set of them: serialising is most of the cost of listing them. */
export function createToolLists() {
  const kept = new Map<string, string>();

  function listOf(open: readonly Tool[]): string {
    const key = open.map(({ description }) => description.name).join();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const list = `"tools":${JSON.stringify(open.map(({ description }) => description))}`;
    if (kept.size < maxKept) kept.set(key, list);
    return list;
  }

  return {
    /** Puts the tools into a response that was made with none. In texts of a client quotation marks are escaped. */
    insert(response: string, open: readonly Tool[]): string {
      const at = response.indexOf(noTools);
      if (at < 0) return response;
      return response.slice(0, at) + listOf(open) + response.slice(at + noTools.length);
    },
  };
}
