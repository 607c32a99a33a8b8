// Lengths of files and functions, and the share of comments.
import ts from 'typescript';

export type FileSizes = { lines: number; functions: readonly number[]; commentLines: number };

/** Lines of a file that are not empty, of each of its functions from its first to its last, and of those that hold only comment. */
export function sizesOf(text: string, name = 'file.ts'): FileSizes {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const functions: number[] = [];
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) functions.push(lineAt(node.end) - lineAt(node.getStart(source)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { lines: lines.length, functions, commentLines: countComments(lines) };
}

/** Arrow functions of an expression count towards their enclosing function, as do the callbacks of a test. */
function isFunction(node: ts.Node): boolean {
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) && ts.isVariableDeclaration(node.parent);
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node);
}

function countComments(lines: readonly string[]): number {
  let isInside = false;
  let count = 0;
  for (const line of lines) {
    isInside ||= /^\s*\/\*/.test(line);
    if (isInside || /^\s*\/\//.test(line)) count += 1;
    isInside &&= !line.includes('*/');
  }
  return count;
}

/** The value that this share of all values does not exceed. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
