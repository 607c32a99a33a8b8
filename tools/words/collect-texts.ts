// The texts that users and operators read, found in the syntax of the sources.
import ts from 'typescript';

/**
 * sentence: the message of an error. rule: what a field must be, which follows the field's name. log: a line of the log.
 * description: of a setting or a metric. plain: any other text with a blank in it.
 */
export type TextKind = 'sentence' | 'rule' | 'log' | 'description' | 'plain';

/** `text` has `{}` where a template puts a value. */
export type FoundText = { kind: TextKind; line: number; text: string };

/** A function whose parameter at `index` becomes the message of an error. */
type Maker = { index: number; kind: 'sentence' | 'rule'; isExported: boolean };
export type Makers = Map<string, Maker>;

const errorClasses = new Set(['StartError', 'EmbeddedPostgresError']);
const logMethods = new Set(['debug', 'info', 'warn', 'error', 'fatal']);
const zodChecks = new Set(['refine', 'regex', 'min', 'max']);

export function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

/** Functions with a parameter `message` that they give to an error; by name, for calls in this and in other files. */
export function makersIn(source: ts.SourceFile): Makers {
  const makers: Makers = new Map();
  walk(source, (node) => {
    if (!ts.isFunctionLike(node)) return;
    const index = node.parameters.findIndex(({ name }) => name.getText() === 'message');
    const name = nameOfFunction(node);
    if (index < 0 || name === undefined) return;
    walk(node, (inner) => {
      if (!ts.isShorthandPropertyAssignment(inner) || inner.name.text !== 'message') return;
      const kind = kindOfMessage(inner.parent);
      if (kind !== undefined) makers.set(name, { index, kind, isExported: isExported(node) });
    });
  });
  return makers;
}

/** All texts of a file; `known` holds the makers of other files. */
export function textsIn(source: ts.SourceFile, known: Makers): FoundText[] {
  const makers = new Map([...known, ...makersIn(source)]);
  const found = new Map<ts.Node, FoundText>();
  const add = (node: ts.Expression | undefined, kind: TextKind) => {
    for (const [at, text] of node ? literalsOf(node) : []) {
      const before = found.get(at);
      if (before && before.kind !== 'plain') continue;
      const { line } = source.getLineAndCharacterOfPosition(at.getStart());
      found.set(at, { kind, line: line + 1, text });
    }
  };
  walk(source, (node) => {
    if (ts.isNewExpression(node) && errorClasses.has(node.expression.getText())) add(node.arguments?.[0], 'sentence');
    if (ts.isCallExpression(node)) collectFromCall(node, makers, add);
    if (ts.isPropertyAssignment(node)) collectFromProperty(node, add);
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'message') {
      const kind = kindOfMessage(node.parent);
      if (kind !== undefined) add(initializerOf(node.name), kind);
    }
  });
  walk(source, (node) => {
    if (isLiteral(node) && isProse(node)) add(node, 'plain');
  });
  return [...found.values()];
}

type Add = (node: ts.Expression | undefined, kind: TextKind) => void;

function collectFromCall(call: ts.CallExpression, makers: Makers, add: Add): void {
  const { expression: callee, arguments: args } = call;
  if (ts.isIdentifier(callee)) {
    const maker = makers.get(callee.text);
    return maker && add(args[maker.index], maker.kind);
  }
  if (!ts.isPropertyAccessExpression(callee)) return;
  const method = callee.name.text;
  if (logMethods.has(method) && /logger$/i.test(callee.expression.getText())) add(args[1], 'log');
  if (method === 'describe' && isWithin(call, 'setting')) add(args[0], 'description');
  if (zodChecks.has(method) && isContract(call) && args[1]) add(args[1], 'rule');
}

function collectFromProperty(node: ts.PropertyAssignment, add: Add): void {
  const name = node.name.getText();
  if (name === 'help') return add(node.initializer, 'description');
  if (name === 'meaning') return add(node.initializer, 'sentence');
  if (name !== 'message') return;
  const kind = kindOfMessage(node.parent) ?? (isContract(node) ? 'rule' : undefined);
  if (kind !== undefined) add(node.initializer, kind);
}

function kindOfMessage(literal: ts.Node): 'sentence' | 'rule' | undefined {
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const { parent } = literal;
  if (ts.isNewExpression(parent) && parent.expression.getText() === 'AppError') return 'sentence';
  const names = literal.properties.map((property) => property.name?.getText());
  return names.includes('constraint') ? 'rule' : undefined;
}

/** The literals that an expression can come to, each with its text. */
function literalsOf(node: ts.Expression): [ts.Node, string][] {
  if (isLiteral(node)) return [[node, textOf(node)]];
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [...literalsOf(node.left), ...literalsOf(node.right)];
  }
  if (ts.isIdentifier(node)) {
    const initializer = initializerOf(node);
    return initializer ? literalsOf(initializer) : [];
  }
  return [];
}

/** What a constant of the same file begins as: the nearest one of the name, from the inside out. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name.parent; ; scope = scope.parent) {
    let found: ts.Expression | undefined;
    if (ts.isBlock(scope) || ts.isSourceFile(scope)) {
      for (const statement of scope.statements.filter(ts.isVariableStatement))
        for (const one of statement.declarationList.declarations)
          if (one.name.getText() === name.text) found = one.initializer;
    }
    if (found || ts.isSourceFile(scope)) return found;
  }
}

const isLiteral = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function textOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** Words with blanks between them, and neither SQL nor a path nor an import. */
function isProse(node: ts.StringLiteralLike | ts.TemplateExpression): boolean {
  const text = textOf(node);
  return /[a-z,.:;] [a-z{]/i.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|NULL|AS|ORDER BY)\b/.test(text);
}

function nameOfFunction(node: ts.SignatureDeclaration): string | undefined {
  if (node.name) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

function isExported(node: ts.SignatureDeclaration): boolean {
  const declaration = ts.isVariableDeclaration(node.parent) ? node.parent : (node as ts.Declaration);
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0;
}

function isWithin(node: ts.Node, name: string): boolean {
  for (let outer = node.parent; outer; outer = outer.parent)
    if (ts.isCallExpression(outer) && outer.expression.getText() === name) return true;
  return false;
}

const isContract = (node: ts.Node): boolean => node.getSourceFile().fileName.includes('shared/contracts/');

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
