const secretFields: ReadonlySet<string> = new Set([
  'secret',
  'password',
  'authorization',
  'cookie',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'signing_secret',
  'signingSecret',
  'webhook_url',
  'webhookUrl',
  'response_url',
  'responseUrl',
  'apiKey',
  'encryptionKeys',
  'x-api-key',
]);

const hidden = '[hidden]';
const maxDepth = 3;

type Fields = Record<string, unknown>;

/** Blanks secrets down to the third level. Fields without secrets are returned unchanged: one look-up per field. */
export function hideSecrets(fields: Fields, depth = 1): Fields {
  let copy: Fields | undefined;
  for (const name in fields) {
    const value = fields[name];
    const shown = secretFields.has(name)
      ? hidden
      : isPlainObject(value) && depth < maxDepth
        ? hideSecrets(value, depth + 1)
        : value;
    if (shown !== value) (copy ??= { ...fields })[name] = shown;
  }
  return copy ?? fields;
}

function isPlainObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
