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

/** `bytes`: those of the text. */
export type InboundJson = { text: string; bytes: Buffer; body: JsonObject };

/** Throws only AppError invalid_request, whatever the bytes are. `scan`: one of the same bytes, if there is one. */
export function parseInboundJson(raw: Buffer, scan?: JsonScan): InboundJson {
  const parsed = parseJson(raw, scan);
  if (parsed.problem) throw malformed(`The body ${problems[parsed.problem]}.`);
  const { text, bytes, value: body } = parsed;
  if (!isJsonObject(body)) throw malformed('The body must be a JSON object.');
  if (text.includes('\\u') && findText(body, isBrokenText))
    throw malformed('The body must not contain the character U+0000 or a lone surrogate.');
  return { text, bytes, body };
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
