// Reads what the tools may read: files below the folders that were named at start, and public addresses.
import { realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { LIMITS } from '@faircopy/contract';
import { openRemoteAudio } from '../../lib/net/remote-audio.ts';
import type { Recording } from '../client/recording-transcriber.ts';
import { blobOf } from '../client/recording-upload.ts';

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);
const FETCH_TIMEOUT_MS = 30_000;

/** A failure whose message is for the caller of a tool. */
export class ToolFault extends Error {}

export interface ReadableSources {
  /** Folders that may be read; relative paths start at the first one. */
  readonly roots: readonly string[];
  /** Whether addresses of this machine and its network may be fetched. */
  readonly privateUrls: boolean;
}

export const readSource = (source: string, readable: ReadableSources, signal: AbortSignal): Promise<Recording> =>
  isAddress(source) ? readAddress(source, readable, signal) : readPath(source, readable);

/** Symbolic links are resolved first, so that none leads out of the folders. */
const readPath = async (source: string, { roots }: ReadableSources): Promise<Recording> => {
  const path = await realpath(resolve(roots[0]!, source)).catch(() => null);
  const folders = await Promise.all(roots.map((root) => realpath(root)));
  const isInside = path !== null && folders.some((folder) => isBelow(folder, path));
  // Missing files and files outside get the same message, so that the tool does not reveal what else is on the disk.
  if (!isInside)
    throw new ToolFault(
      `There is no such file in ${roots.join(', ')}. "faircopy mcp --root FOLDER" allows other folders.`,
    );
  const found = await stat(path);
  if (!found.isFile()) throw new ToolFault('It is not a file.');
  const identity = JSON.stringify([path, found.size, found.mtimeMs]);
  return { audio: await blobOf(path), fileName: basename(path), identity };
};

const isBelow = (folder: string, path: string): boolean => {
  const within = relative(folder, path);
  return within !== '' && within !== '..' && !within.startsWith(`..${sep}`) && resolve(folder, within) === path;
};

const readAddress = async (
  source: string,
  { privateUrls }: ReadableSources,
  signal: AbortSignal,
): Promise<Recording> => {
  const body = await openRemoteAudio(source, {
    timeoutMs: FETCH_TIMEOUT_MS,
    signal,
    owner: 'mcp',
    ...(privateUrls && { isAllowedAddress: () => true }),
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > LIMITS.fileBytesMax) {
      body.destroy();
      throw new ToolFault(
        `The recording is larger than ${LIMITS.fileBytesMax / 2 ** 20} MB. Download it, and name the file.`,
      );
    }
    chunks.push(chunk);
  }
  return { audio: new Blob(chunks), fileName: 'audio', identity: null };
};
