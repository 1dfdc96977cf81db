// Output of commands: tables, JSON, and text that cannot control a terminal.

/** Control characters, and marks that reverse or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Escapes characters that could control a terminal. */
export const sanitise = (text: string): string =>
  text.replace(UNSAFE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Like `sanitise`, for text of several lines. */
export const sanitiseLines = (text: string): string => text.split('\n').map(sanitise).join('\n');

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
}

/** On a terminal: aligned, with titles. In a pipe: tab-separated without titles, for cut and awk. */
export const formatTable = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  isTerminal: boolean,
): string => {
  const cells = rows.map((row) => columns.map(({ value }) => sanitise(String(value(row) ?? (isTerminal ? '-' : '')))));
  if (!isTerminal) return cells.map((line) => `${line.join('\t')}\n`).join('');
  const lines = [columns.map(({ title }) => title.toUpperCase()), ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const align = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at]!)).join('  ');
  return lines.map((line) => `${align(line).trimEnd()}\n`).join('');
};

/** Resolves when standard output has accepted the text; to false when its reader has closed it, as `head` does. */
export const print = (text: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(true);
      else if ((error as NodeJS.ErrnoException).code === 'EPIPE') resolve(false);
      else reject(error);
    });
  });

export const printJson = (value: unknown): Promise<boolean> => print(`${JSON.stringify(value, null, 2)}\n`);

export const printTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<boolean> =>
  print(formatTable(rows, columns, process.stdout.isTTY));

export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** A UTC time for tables, to the minute. */
export const shortTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
