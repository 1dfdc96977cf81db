// SQLite's result codes.

export const RESULT = { BUSY: 5, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 } as const;

/** The primary code of an extended one; 0 without a code. */
export const primaryCode = (extended: number | null | undefined): number => (extended ?? 0) & 0xff;
