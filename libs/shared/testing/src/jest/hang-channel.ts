/** Channel of node:diagnostics_channel: a test or hook ran into its limit. Who knows more about it prints that. */
export const hangChannel = 'eas.test-hang';
