/**
 * Channel of node:diagnostics_channel: a test or hook ran into its limit. Subscribers print what they know about it.
 */
export const hangChannel = 'eas.test-hang';
