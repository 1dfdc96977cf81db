// Downloads a file over HTTP, with resume and with limits on size and silence.
import { open, rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isFull } from '../fault.ts';
import { stampOf } from '../files.ts';

interface DownloadOptions {
  /** Exact size if known; more bytes are never written. */
  readonly bytes?: number;
  /** Limit when the size is not known. */
  readonly bytesMax?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesDone: number, bytesTotal: number | undefined) => void;
  /** Attempts after broken connections. */
  readonly attempts?: number;
  readonly silenceMsMax?: number;
  readonly retryMs?: number;
}

/** The server refused permanently: a retry would not help. */
class DownloadRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the server answered ${status}`);
    this.name = 'DownloadRefused';
    this.status = status;
  }
}

/** The server is overloaded or limits the rate: retry later. */
class RetryLater extends Error {
  readonly afterMs: number;
  constructor(status: number, afterMs: number) {
    super(`the server answered ${status}`);
    this.name = 'RetryLater';
    this.afterMs = afterMs;
  }
}

/** The longest retry-after that is respected. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Parses a retry-after header, which is seconds or a date; 0 without one. */
const retryAfterMs = (header: string | null): number => {
  const ms = header === null ? 0 : /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Math.min(RETRY_AFTER_MS_MAX, Math.max(0, ms || 0));
};

const isWorthRetrying = (status: number): boolean => status === 408 || status === 429 || status >= 500;

const attempt = async (url: string, part: string, options: DownloadOptions): Promise<void> => {
  const have = (await stampOf(part))?.bytes ?? 0;
  if (options.bytes !== undefined && have === options.bytes) return;
  const silence = new AbortController();
  const silenceMsMax = options.silenceMsMax ?? 30_000;
  const timer = setTimeout(() => silence.abort(new Error(`no data for ${silenceMsMax / 1000} s`)), silenceMsMax);
  const signal = options.signal ? AbortSignal.any([options.signal, silence.signal]) : silence.signal;
  try {
    const response = await fetch(url, { signal, headers: have > 0 ? { range: `bytes=${have}-` } : {} });
    const resumed = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
    if (response.status === 416 || (response.status === 206 && !resumed)) {
      // The partial file does not match the server's: start over.
      await response.body?.cancel();
      await rm(part, { force: true });
      throw new Error('the partial download does not match');
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      if (isWorthRetrying(response.status))
        throw new RetryLater(response.status, retryAfterMs(response.headers.get('retry-after')));
      throw new DownloadRefused(response.status);
    }
    let done = resumed ? have : 0;
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = options.bytes ?? (Number.isFinite(length) ? done + length : undefined);
    const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        timer.refresh();
        done += piece.byteLength;
        const most = Math.min(total ?? Number.POSITIVE_INFINITY, options.bytesMax ?? Number.POSITIVE_INFINITY);
        if (done > most) throw new Error(`the server sent more than ${most} bytes`);
        options.onProgress?.(done, total);
        yield piece;
      }
      if (total !== undefined && done < total) throw new Error(`the connection broke after ${done} of ${total} bytes`);
    };
    const file = await open(part, resumed ? 'a' : 'w');
    try {
      // Write chunk by chunk, so that a broken download can be resumed.
      for await (const piece of counted(response.body)) await file.appendFile(piece);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw silence.signal.aborted ? (silence.signal.reason as Error) : cause;
  } finally {
    clearTimeout(timer);
  }
};

/** Writes the complete file to `path`. After a failure, `path.part` keeps what arrived, unless the disk is full. */
export const downloadTo = async (path: string, url: string, options: DownloadOptions = {}): Promise<void> => {
  const part = `${path}.part`;
  const attempts = options.attempts ?? 5;
  for (let tried = 1; ; tried++) {
    try {
      await attempt(url, part, options);
      await rename(part, path);
      return;
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (isFull(cause)) await rm(part, { force: true });
      if (isFull(cause) || tried >= attempts || cause instanceof DownloadRefused) throw cause;
      const backOffMs = (options.retryMs ?? 500) * 2 ** (tried - 1);
      await wait(
        cause instanceof RetryLater ? Math.max(backOffMs, cause.afterMs) : backOffMs,
        undefined,
        options.signal ? { signal: options.signal } : {},
      );
    }
  }
};
