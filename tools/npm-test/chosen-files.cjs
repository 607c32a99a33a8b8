// Jest's --filter for a run of chosen suites: tools/test.ts puts their paths, one a line, into TEST_ONLY, which may be none, or
// the beginnings of those that it leaves out into TEST_EXCEPT.
const linesOf = (text) => text.split('\n').filter(Boolean);
const { TEST_ONLY, TEST_EXCEPT = '' } = process.env;
const chosen = TEST_ONLY === undefined ? undefined : new Set(linesOf(TEST_ONLY));
const leftOut = linesOf(TEST_EXCEPT);

module.exports = (paths) => ({
  filtered: paths.filter((path) =>
    chosen ? chosen.has(path) : !leftOut.some((beginning) => path.startsWith(beginning)),
  ),
});
