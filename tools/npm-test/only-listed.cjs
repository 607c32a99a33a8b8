// Jest's --filter for a run of chosen suites: tools/test.ts puts their paths into TEST_ONLY, one a line.
const chosen = new Set((process.env.TEST_ONLY ?? '').split('\n'));

module.exports = (paths) => ({ filtered: paths.filter((path) => chosen.has(path)) });
