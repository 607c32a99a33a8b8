type Json = Record<string, unknown>;

/** Members that refer to input outside of the request. */
const references = new Set([
  'previous_response_id',
  'conversation',
  'file_id',
  'file_ids',
  'file_url',
  'file_uri',
  'fileUri',
  'cached_content',
  'cachedContent',
]);
/** Members with names that an agent or a tool chose. */
const ownNames = new Set(['input_schema', 'parameters', 'parametersJsonSchema', 'functionCall', 'functionResponse']);
/** Tools that the provider runs: what they find is input as well. */
const serverTool = /^(web_|file_search|code_(execution|interpreter)|mcp|google|url_?context)/i;

/** Reserved for input that cannot be counted before the call: as much as most models read at once. */
const contextTokens = 200_000;

/** Tokens that a call may read in addition to its own body: by reference, or with tools of the provider. */
export function unseenTokens(body: Json): number {
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  return tools.some(isServerTool) || hasReference(body) ? contextTokens : 0;
}

function isServerTool(tool: unknown): boolean {
  if (typeof tool !== 'object' || tool === null) return false;
  const { type, external_web_access: isOnline } = tool as Json;
  if (isOnline === false) return false;
  return typeof type === 'string' ? serverTool.test(type) : Object.keys(tool).some((name) => serverTool.test(name));
}

function hasReference(body: Json): boolean {
  const open: Json[] = [body];
  for (let value = open.pop(); value; value = open.pop()) {
    const { type } = value;
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null || inner === undefined || ownNames.has(name)) continue;
      if (type === 'tool_use' && name === 'input') continue;
      if (references.has(name) || isAddress(name, inner, type)) return true;
      if (typeof inner === 'object') open.push(inner as Json);
    }
  }
  return false;
}

/** Of an image or a document that the provider loads. */
function isAddress(name: string, value: unknown, type: unknown): boolean {
  if (name === 'url' && type === 'url') return true;
  const { url } = (typeof value === 'object' ? value : { url: value }) as { url?: unknown };
  return name === 'image_url' && typeof url === 'string' && !url.startsWith('data:');
}
