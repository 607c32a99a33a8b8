/** For claims that wait in a test: that their agents are seen is recorded nowhere. */
export const ignoredSightings = { record: () => {}, startWaiting: () => () => {} };
