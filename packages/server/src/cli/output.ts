// What commands print: tables for people, tab-separated lines for pipes, nothing that could steer a terminal.

/** Control characters, and the marks that reverse or hide text: shown as escapes, so that a name is only ever a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const harmless = (text: string): string =>
  text.replace(UNSAFE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
}

/** On a terminal: aligned, with titles. In a pipe: tab-separated, without, for cut and awk. */
export const formatTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], forPeople: boolean): string => {
  const cells = rows.map((row) => columns.map(({ value }) => harmless(String(value(row) ?? (forPeople ? '-' : '')))));
  if (!forPeople) return cells.map((line) => `${line.join('\t')}\n`).join('');
  const lines = [columns.map(({ title }) => title.toUpperCase()), ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const align = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at]!)).join('  ');
  return lines.map((line) => `${align(line).trimEnd()}\n`).join('');
};

/** Writes to standard output and waits until it has been taken. False when the reader has gone, as `head` does. */
export const print = (text: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(true);
      else if ((error as NodeJS.ErrnoException).code === 'EPIPE') resolve(false);
      else reject(error);
    });
  });

export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** A moment as people read it in a table. */
export const shortTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
