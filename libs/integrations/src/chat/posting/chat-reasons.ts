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
  secret_not_readable: 'The webhook_url or token cannot be decrypted. Set it again.',
};

/** Why nothing is posted, for people. */
export const sentenceOf = (reason: string): string =>
  sentences[reason] === undefined ? `The chat refuses messages (${reason}).` : `${sentences[reason]} (${reason})`;
