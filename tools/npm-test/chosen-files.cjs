// Jest's --filter for a run of chosen suites: tools/test.ts puts their paths, one a line, into TEST_ONLY, or the beginnings
// of those that it leaves out into TEST_EXCEPT.
const linesOf = (name) => (process.env[name] ?? '').split('\n').filter(Boolean);
const chosen = new Set(linesOf('TEST_ONLY'));
const leftOut = linesOf('TEST_EXCEPT');

module.exports = (paths) => ({
  filtered: paths.filter((path) =>
    chosen.size > 0 ? chosen.has(path) : !leftOut.some((beginning) => path.startsWith(beginning)),
  ),
});
