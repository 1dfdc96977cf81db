// Prints rows as a Markdown table, so that a benchmark's output can be pasted into a document.

export type Cell = string | number;

/** Numbers are right-aligned; the header comes from the keys of the first row. */
export const markdownTable = (rows: readonly Record<string, Cell>[]): string => {
  const first = rows[0];
  if (!first) return '(no rows)';
  const keys = Object.keys(first);
  const texts = rows.map((row) => keys.map((key) => String(row[key] ?? '')));
  const widths = keys.map((key, column) => Math.max(key.length, ...texts.map((row) => row[column]?.length ?? 0)));
  const numeric = keys.map((key) => rows.every((row) => typeof row[key] === 'number'));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (numeric[column] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [line(keys), rule, ...texts.map(line)].join('\n');
};
