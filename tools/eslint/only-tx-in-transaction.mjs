// Inside `ctx.inTransaction(async (tx) => …)` only `tx` is used. A context is itself a database scope (the pool), so
// `insertTask(ctx, …)` in there compiles, runs on another connection and survives the rollback; with the pool exhausted it waits
// for ever. This rule refuses the outer context as a whole and its db, prisma, gather and inTransaction.
const CLOSED = new Set(['db', 'prisma', 'gather', 'inTransaction']);
const CONVERTERS = new Set(['contextInTransaction']);
const isFunction = (node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

function outerNameOf(callee) {
  if (callee.type === 'Identifier' && callee.name === 'inTransaction') return 'ctx';
  if (callee.type !== 'MemberExpression' || callee.property.name !== 'inTransaction') return undefined;
  return callee.object.type === 'Identifier' ? callee.object.name : 'ctx';
}

function isAllowed(identifier) {
  const { parent } = identifier;
  if (parent.type === 'MemberExpression' && parent.object === identifier) {
    return !parent.computed && !CLOSED.has(parent.property.name);
  }
  if (parent.type === 'CallExpression' && parent.arguments[0] === identifier) {
    return CONVERTERS.has(parent.callee.name);
  }
  return parent.type === 'TSTypeQuery';
}

export const onlyTxInTransaction = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      outer:
        'Inside inTransaction only tx is used: `{{name}}` is the pool (contextInTransaction(ctx, tx) makes a context of tx).',
    },
  },
  create(context) {
    return {
      CallExpression(node) {
        const outerName = outerNameOf(node.callee);
        const work = node.arguments.find(isFunction);
        if (!outerName || !work) return;
        for (const { identifier } of context.sourceCode.getScope(work).through) {
          const isOuter = identifier.name === outerName && !isAllowed(identifier);
          const isLooseDb = identifier.name === 'db' || identifier.name === 'prisma' || identifier.name === 'gather';
          if (isOuter || isLooseDb)
            context.report({ node: identifier, messageId: 'outer', data: { name: identifier.name } });
        }
      },
    };
  },
};
