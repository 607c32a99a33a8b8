import {
  AppError,
  findText,
  isBrokenText,
  isJsonObject,
  jsonLimits,
  type JsonObject,
  type JsonProblem,
  type JsonScan,
  parseJson,
} from '@eas/core';

export type InboundJson = { text: string; body: JsonObject };

/**
 * Reads a receiver's raw body as a JSON object; a byte order mark is dropped. Whatever the bytes are, only AppError
 * invalid_request is thrown. `scan` is one of the same bytes, where there is one already.
 */
export function parseInboundJson(raw: Buffer, scan?: JsonScan): InboundJson {
  const parsed = parseJson(raw, scan);
  if (parsed.problem) throw malformed(`The body ${problems[parsed.problem]}.`);
  const { text, value: body } = parsed;
  if (!isJsonObject(body)) throw malformed('The body must be a JSON object.');
  if (text.includes('\\u') && findText(body, isBrokenText))
    throw malformed('The body must not contain the character U+0000 or a lone surrogate.');
  return { text, body };
}

const problems: Record<JsonProblem['problem'], string> = {
  not_utf8: 'must be UTF-8',
  not_json: 'must be valid JSON',
  too_deep: `must be nested at most ${jsonLimits.maxDepth} levels deep`,
  too_many_members: `must have at most ${jsonLimits.maxMembers} values`,
};

function malformed(message: string): AppError {
  return new AppError('invalid_request', { message });
}
