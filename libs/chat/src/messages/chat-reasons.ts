const sentences: Readonly<Record<string, string>> = {
  invalid_auth: 'The chat does not accept the token. Replace it.',
  not_authed: 'The chat got no token. Set one.',
  account_inactive: 'The account of the token was deactivated. Use the token of another one.',
  token_revoked: 'The token was revoked. Replace it.',
  token_expired: 'The token has expired. Replace it.',
  missing_scope: 'The token may not post messages. Give its app the scope chat:write.',
  channel_not_found: 'A channel does not exist, or the app cannot see it. Change channels, or invite the app.',
  not_in_channel: 'The app is not a member of a channel. Invite it.',
  is_archived: 'A channel is archived. Change channels.',
  channel_is_archived: 'The channel of the incoming webhook is archived. Replace webhook_url.',
  no_service: 'The incoming webhook was removed or disabled. Replace webhook_url.',
  no_team: 'The workspace of the incoming webhook does not exist any more. Replace webhook_url.',
  action_prohibited: 'An administrator of the workspace does not allow the incoming webhook.',
  http_401: 'The chat refuses access (401). Replace the token or webhook_url.',
  http_403: 'The chat refuses access (403). Replace the token or webhook_url.',
  http_404: 'There is no chat at the address (404). Replace webhook_url.',
  http_410: 'The incoming webhook was removed (410). Replace webhook_url.',
  blocked_target: 'The address of the chat is not allowed: it must be public and https.',
  token_unusable: 'Nothing was sent: the token has characters that a header cannot carry. Replace it.',
  no_address: 'There is no webhook_url, and no token with channels.',
  event_gone: 'Its event or question is no longer stored.',
  too_old: 'It could not be posted for 24 hours.',
  too_many: 'The channel had too many messages that waited. Newer ones were kept.',
  disconnected: 'The integration was disconnected before it was posted.',
  ratelimited: 'The chat gets too many messages. It is posted later.',
  rate_limited: 'The chat gets too many messages. It is posted later.',
  http_429: 'The chat gets too many messages. It is posted later.',
  not_a_chat_response: 'What answered at the address is not a chat. Check webhook_url, or what is in between.',
  dns: 'The host of the chat was not found.',
  refused: 'The host of the chat refused the connection.',
  unreachable: 'The host of the chat could not be reached.',
  reset: 'The connection to the chat was cut.',
  tls: 'The certificate of the chat was not accepted.',
  timeout_connect: 'The connection to the chat took too long.',
  timeout_headers: 'The chat did not respond in time.',
  timeout_body: 'The chat did not finish its response in time.',
  secret_not_readable: 'The webhook_url or token cannot be decrypted. Set it again.',
};

/** Why a message or none is posted, for people. */
export function sentenceOf(reason: string): string {
  if (sentences[reason] !== undefined) return `${sentences[reason]} (${reason})`;
  return reason.startsWith('http_5')
    ? `The chat has a problem of its own (${reason}).`
    : `The chat refuses messages (${reason}).`;
}
