// The folder is that of the row of generators.ts.
export default {
  eas: {
    input: '../openapi.json',
    output: {
      mode: 'split',
      target: 'client/eas.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
