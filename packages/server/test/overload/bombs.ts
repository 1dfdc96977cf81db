// Small requests with a high cost: audio that takes long to decode, and large invalid realtime events.
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { constantFlacFrame, nativeFlac } from '../audio/flac-writer.ts';
import { file, form, MODEL } from '../http/forms.ts';
import type { Figure } from './figures.ts';
import { type LoadServer, startLoadServer } from './load-server.ts';
import { CLIPS, COMPUTE, clipTimes, p95Figure, refusedFigure } from './neighbour.ts';
import { closeIdleConnections, sendFile } from './requests.ts';

export interface BombOptions {
  readonly uploads?: number;
  readonly sockets?: number;
  readonly clips?: number;
}

const FRAMES_PER_BLOCK = 65_535;
/** A few kilobytes that decode to long silence. */
const flacBomb = (sampleRateHz: number, channels: number, seconds: number): Buffer => {
  const blocks = Math.floor((seconds * sampleRateHz) / FRAMES_PER_BLOCK);
  const frames = Array.from({ length: blocks }, (_, nth) => constantFlacFrame(channels, FRAMES_PER_BLOCK, nth));
  return form(MODEL, file(Buffer.from(nativeFlac(sampleRateHz, channels, frames))));
};

/** Two files with nearly as many samples as are accepted, and one with more. */
const bombs = (): readonly Buffer[] => [flacBomb(384_000, 8, 36), flacBomb(192_000, 2, 290), flacBomb(384_000, 8, 290)];

/** Keeps this many uploads of one account in progress. */
const floodOfUploads = (server: LoadServer, key: string, uploads: number) => {
  const bodies = bombs();
  let isOn = true;
  let answered = 0;
  const send = async (nth: number): Promise<void> => {
    while (isOn) {
      const { status } = await sendFile(server, key, bodies[nth % bodies.length]!, 60_000);
      answered += 1;
      // After a refusal, retries like a client that ignores Retry-After.
      if (status !== 200) await wait(200);
    }
  };
  for (let nth = 0; nth < uploads; nth++) void send(nth);
  return {
    get answered() {
      return answered;
    },
    /** Disconnects, so that the server abandons the uploads that it still decodes. */
    stop: () => {
      isOn = false;
      closeIdleConnections();
    },
  };
};

const FAULTY_EVENT = JSON.stringify({ type: 'input_audio_buffer.append', event_id: 'x'.repeat(1024 * 1024) });
/** Short enough for an id, so that the server echoes it. */
const ECHOED_EVENT = JSON.stringify({ type: 'unknown', event_id: 'x'.repeat(500) });
/** The flood shares this process with the measured clips, so it must leave time for them. */
const PULSE_MS = 100;
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;

/** Keeps this many realtime connections of one account busy with invalid events, whose answers are not read. */
const floodOfEvents = (server: LoadServer, key: string, sockets: number) => {
  let isOn = true;
  let connections = 0;
  const open = new Set<WebSocket>();
  const connect = (): void => {
    if (!isOn) return;
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/v1/realtime?intent=transcription`, {
      headers: { authorization: `Bearer ${key}` },
    });
    open.add(socket);
    let pulse: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.on('open', () => {
      connections += 1;
      socket.pause();
      pulse = setInterval(() => {
        if (socket.bufferedAmount > UNSENT_BYTES_MAX) return;
        socket.send(FAULTY_EVENT);
        for (let nth = 0; nth < 20; nth++) socket.send(ECHOED_EVENT);
      }, PULSE_MS);
      // A paused socket does not notice that it was closed.
      setTimeout(() => socket.terminate(), 3_000);
    });
    socket.on('close', () => {
      clearInterval(pulse);
      open.delete(socket);
      setTimeout(connect, 200);
    });
  };
  for (let nth = 0; nth < sockets; nth++) connect();
  return {
    get connections() {
      return connections;
    },
    stop: () => {
      isOn = false;
      for (const socket of open) socket.terminate();
    },
  };
};

const MB = 2 ** 20;
const GROWTH_MB_MAX = 300;

/** One account sends bombs, another floods realtime sessions, and a third sends its clips. */
export const hostileContent = async ({
  uploads = 30,
  sockets = 8,
  clips = CLIPS,
}: BombOptions = {}): Promise<Figure[]> => {
  const server = await startLoadServer({ accounts: 3, compute: COMPUTE }, { FAIRCOPY_FILE_FORMATS: 'all' });
  const [neighbour, bomber, talker] = server.keys as [string, string, string];
  const quiet = await clipTimes(server, neighbour, clips);
  const quietBytes = (await server.state()).rssBytes;
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, server.residentBytes());
  }, 200);
  const measure = async (flood: { stop: () => void }) => {
    await wait(2_000);
    const busy = await clipTimes(server, neighbour, clips);
    flood.stop();
    return busy;
  };
  const bombing = floodOfUploads(server, bomber, uploads);
  const whileBombing = await measure(bombing);
  await wait(1_000);
  const talking = floodOfEvents(server, talker, sockets);
  const whileTalking = await measure(talking);
  clearInterval(watch);
  await server.close();
  const grownMb = (peakBytes - quietBytes) / MB;
  return [
    p95Figure(`${uploads} decoding bombs at a time (${bombing.answered} answered)`, quiet.ms, whileBombing.ms),
    p95Figure(`${sockets} floods of realtime events (${talking.connections} connections)`, quiet.ms, whileTalking.ms),
    {
      what: `memory of the server meanwhile, above its ${(quietBytes / MB).toFixed(0)} MB`,
      value: `${grownMb.toFixed(0)} MB`,
      target: `at most ${GROWTH_MB_MAX} MB`,
      met: grownMb <= GROWTH_MB_MAX,
    },
    refusedFigure([...whileBombing.refusals, ...whileTalking.refusals]),
  ];
};
