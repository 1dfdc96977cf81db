// One sentence for a database that cannot be opened: what is wrong, and how to fix it.
import { join } from 'node:path';
import type { Config } from '../app/config.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Some network errors have no message. */
const reasonOf = (thrown: unknown): string => {
  const { message, code } = thrown as NodeJS.ErrnoException;
  return (message || code || String(thrown)).replace(/^the database thread failed: /, '');
};

const ELSEWHERE = 'or set FAIRCOPY_DATA_DIR to another folder';

const sqliteSentence = (dataDir: string, thrown: unknown): string => {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  const reason = reasonOf(thrown);
  if (/^(EROFS|EACCES|EPERM)$/.test(code) || /readonly database|unable to open/.test(reason))
    return `The data folder ${dataDir} is not writable (${code || reason}): make it writable for this user, ${ELSEWHERE}.`;
  if (/^(ENOSPC|EDQUOT)$/.test(code) || /disk is full/.test(reason))
    return `The disk of the data folder ${dataDir} is full: free some space, ${ELSEWHERE}.`;
  if (/^(ENOTDIR|EEXIST)$/.test(code))
    return `The data folder ${dataDir} is not a folder: move the file away, ${ELSEWHERE}.`;
  if (code === 'ENOENT') return `The data folder ${dataDir} cannot be created: create it, ${ELSEWHERE}.`;
  if (code === 'EISDIR' || /not a database|malformed/.test(reason))
    return `${join(dataDir, 'faircopy.db')} is damaged or not a database: run "faircopy restore BACKUP --force", ${ELSEWHERE}.`;
  return `The database in ${dataDir} cannot be opened: ${reason}`;
};

const postgresSentence = (url: string, thrown: unknown): string => {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  const { host } = new URL(url);
  if (/^E[A-Z_]+$/.test(code))
    return `PostgreSQL at ${host} cannot be reached (${code}): start it, or correct DATABASE_URL.`;
  return `PostgreSQL at ${host} cannot be used: ${reasonOf(thrown)}. See DATABASE_URL.`;
};

export const databaseSentence = ({ dataDir, databaseUrl }: Place, thrown: unknown): string =>
  databaseUrl === undefined ? sqliteSentence(dataDir, thrown) : postgresSentence(databaseUrl, thrown);
