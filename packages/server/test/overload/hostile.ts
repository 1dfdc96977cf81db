// Measures what hostile uploads cost other accounts: held open, sent byte by byte, or expanding to much audio.
import { setTimeout as wait } from 'node:timers/promises';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { OPUS_NOTHING_120_MS, repeat, writeOggOpus } from '../audio/ogg-writer.ts';
import { BOUNDARY, file, formHead, hum, MODEL, wavOf } from '../http/forms.ts';
import { RawClient } from '../http/raw.ts';
import type { Figure } from './figures.ts';
import { type LoadServer, startLoadServer } from './load-server.ts';
import { CLIPS, COMPUTE, clipTimes, p95Figure, ratioFigure, refusedFigure } from './neighbour.ts';

/** The number of hostile uploads, and of the neighbour's clips that are measured. */
export interface HostileOptions {
  readonly uploads?: number;
  readonly clips?: number;
}

/** Packets of two bytes that decode to 120 ms each: a few kilobytes become tens of megabytes. */
const SWOLLEN = Buffer.from(
  writeOggOpus(repeat(OPUS_NOTHING_120_MS, 2_500), opusPacketFrames, { packetsPerPage: 100 }),
);

/** Keeps this many uploads open; restarts each one that is answered or closed. */
class Flood {
  readonly #server: LoadServer;
  readonly #open = new Set<RawClient>();
  #state: 'on' | 'over' = 'on';
  #drips: NodeJS.Timeout;
  answered = 0;

  constructor(server: LoadServer, uploads: number, headOf: (nth: number) => { key: string; head: Buffer }) {
    this.#server = server;
    for (let nth = 0; nth < uploads; nth++) void this.#hold(nth, headOf);
    this.#drips = setInterval(() => {
      for (const client of this.#open) void client.send(Buffer.from([0]));
    }, 1_000);
  }

  get open(): number {
    return this.#open.size;
  }

  close(): void {
    this.#state = 'over';
    clearInterval(this.#drips);
    for (const client of this.#open) client.socket.destroy();
  }

  async #hold(nth: number, headOf: (nth: number) => { key: string; head: Buffer }): Promise<void> {
    while (this.#state === 'on') {
      const { key, head } = headOf(nth);
      const client = new RawClient(this.#server.port);
      this.#open.add(client);
      await client.head([
        'POST /v1/transcribe HTTP/1.1',
        'Host: test',
        `Authorization: Token ${key}`,
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length: 50000000',
      ]);
      await client.send(head);
      await client.answer();
      this.answered += 1;
      this.#open.delete(client);
      client.socket.destroy();
      // Retries like a client that ignores Retry-After.
      await wait(500);
    }
  }
}

/** One account holds hundreds of uploads open, while another sends its clips. */
export const heldUploads = async ({ uploads = 500, clips = CLIPS }: HostileOptions = {}): Promise<Figure[]> => {
  const server = await startLoadServer({ accounts: 2, compute: COMPUTE });
  const [flooding, neighbour] = server.keys as [string, string];
  const quiet = await clipTimes(server, neighbour, clips);
  const heads = [formHead(MODEL, file(wavOf(hum(0.5)))), formHead(file(wavOf(hum(0.5))))];
  const flood = new Flood(server, uploads, (nth) => ({ key: flooding, head: heads[nth % 2]! }));
  await wait(2_000);
  const busy = await clipTimes(server, neighbour, clips);
  flood.close();
  await server.close();
  return [ratioFigure(quiet.ms, busy.ms), refusedFigure(busy.refusals)];
};

/** Many accounts have thousands of hostile uploads in flight, while another account sends its clips. */
export const hostileUploads = async ({ uploads = 2_000, clips = CLIPS }: HostileOptions = {}): Promise<Figure[]> => {
  const server = await startLoadServer({ accounts: 41, compute: COMPUTE });
  const [neighbour, ...hostile] = server.keys as [string, ...string[]];
  const quiet = await clipTimes(server, neighbour, clips);
  const quietBytes = (await server.state()).rssBytes;
  const heads = [formHead(file(SWOLLEN)), formHead(MODEL, file(SWOLLEN)), formHead(MODEL, file(wavOf(hum(0.2))))];
  const flood = new Flood(server, uploads, (nth) => ({
    key: hostile[nth % hostile.length]!,
    head: heads[nth % heads.length]!,
  }));
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, server.residentBytes());
  }, 500);
  await wait(3_000);
  const busy = await clipTimes(server, neighbour, clips);
  const inFlight = flood.open;
  await wait(3_000);
  clearInterval(watch);
  flood.close();
  await server.close();
  const grownMb = (peakBytes - quietBytes) / 2 ** 20;
  return [
    {
      what: `memory of the server with ${inFlight} hostile uploads in flight, above its ${(quietBytes / 2 ** 20).toFixed(0)} MB`,
      value: `${grownMb.toFixed(0)} MB`,
      target: 'at most 256 MB',
      met: grownMb <= 256,
    },
    p95Figure(`${inFlight} hostile uploads`, quiet.ms, busy.ms),
    {
      what: "a neighbour's clips that were answered meanwhile",
      value: `${busy.ms.length} of ${clips}${busy.refusals.length > 0 ? `, others ${busy.refusals.join(', ')}` : ''}`,
      target: 'all',
      met: busy.refusals.length === 0,
    },
  ];
};
