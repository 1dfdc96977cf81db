// The audio of `faircopy listen`: raw pcm16 or wav from a pipe, or the microphone through a recorder program.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { FormatFault, type PcmFormat, readWavHeader, WAV_HEADER_BYTES_MAX } from './wav-header.ts';

export interface AudioSource {
  readonly kind: 'pipe' | 'microphone';
  readonly format: PcmFormat;
  readonly audio: AsyncIterable<Buffer>;
  /** Ends the audio. */
  stop(): void;
}

/** Recorders that print raw pcm16, best first. */
const RECORDERS: readonly (readonly [string, (format: PcmFormat) => readonly string[]])[] = [
  [
    'arecord',
    ({ sampleRateHz, channels }) => ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', `${sampleRateHz}`, '-c', `${channels}`],
  ],
  [
    'rec',
    ({ sampleRateHz, channels }) =>
      `-q -t raw -e signed-integer -b 16 -L -r ${sampleRateHz} -c ${channels} -`.split(' '),
  ],
  [
    'ffmpeg',
    ({ sampleRateHz, channels }) => {
      const input = process.platform === 'darwin' ? '-f avfoundation -i :0' : '-f pulse -i default';
      return `-hide_banner -loglevel error ${input} -f s16le -ar ${sampleRateHz} -ac ${channels} -`.split(' ');
    },
  ],
];

export const openSource = (format: PcmFormat): Promise<AudioSource> =>
  process.stdin.isTTY ? openMicrophone(format) : openPipe(process.stdin, format);

/** The header of a wav file overrides `format`. */
export const openPipe = async (input: Readable, format: PcmFormat): Promise<AudioSource> => {
  const ending = new AbortController();
  let head = Buffer.alloc(0);
  let header = readWavHeader(head);
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  while (header === 'incomplete') {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
    header = readWavHeader(head);
    if (header === 'incomplete' && head.length > WAV_HEADER_BYTES_MAX) {
      throw new FormatFault('The wav file has no audio within its first 64 KB.');
    }
  }
  const wav = typeof header === 'object' ? header : null;
  const other = wav ? null : containerName(head);
  if (other !== null) throw new FormatFault(`This is ${other}, not raw pcm16 or wav. Use: faircopy transcribe FILE`);
  const next = nextUntil(chunks, ending.signal);
  return {
    kind: 'pipe',
    format: wav?.format ?? format,
    audio: (async function* () {
      const rest = head.subarray(wav?.dataAt ?? 0);
      if (rest.length > 0) yield rest;
      for (;;) {
        const { value, done } = await next();
        if (done) return;
        yield value;
      }
    })(),
    stop: () => {
      ending.abort();
      input.destroy();
    },
  };
};

/** Containers that could be mistaken for raw audio, by their first bytes. */
const CONTAINERS: readonly (readonly [string, number, string])[] = [
  ['OggS', 0, 'an ogg file'],
  ['\x1aE\xdf\xa3', 0, 'a webm file'],
  ['fLaC', 0, 'a flac file'],
  ['ID3', 0, 'an mp3 file'],
  ['ftyp', 4, 'an mp4 file'],
  ['FORM', 0, 'an aiff file'],
];

const containerName = (head: Buffer): string | null => {
  const text = head.subarray(0, 16).toString('latin1');
  return CONTAINERS.find(([mark, at]) => text.startsWith(mark, at))?.[2] ?? null;
};

/** Reads chunks until the signal. A race of each read against one long promise would keep all chunks in memory. */
const nextUntil = <Chunk>(chunks: AsyncIterator<Chunk>, signal: AbortSignal) => {
  let end = (): void => {};
  signal.addEventListener('abort', () => end(), { once: true });
  return () =>
    new Promise<IteratorResult<Chunk>>((resolve, reject) => {
      end = () => resolve({ done: true, value: undefined });
      if (signal.aborted) end();
      else chunks.next().then(resolve, reject);
    });
};

export const openMicrophone = async (format: PcmFormat): Promise<AudioSource> => {
  for (const [program, argumentsFor] of RECORDERS) {
    // In its own process group, so that Ctrl-C does not end it before its last audio is read.
    const recorder = spawn(program, argumentsFor(format), { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const outcome = await new Promise<'started' | 'absent'>((resolve) => {
      recorder.on('spawn', () => resolve('started'));
      recorder.on('error', () => resolve('absent'));
    });
    if (outcome === 'started')
      return { kind: 'microphone', format, audio: recorded(recorder), stop: () => recorder.kill('SIGINT') };
  }
  const names = RECORDERS.map(([name]) => name).join(', ');
  throw new FormatFault(`No recorder was found (${names}). Install one, or pipe audio: arecord … | faircopy listen`);
};

async function* recorded(recorder: ChildProcess): AsyncIterable<Buffer> {
  try {
    yield* recorder.stdout as AsyncIterable<Buffer>;
  } finally {
    recorder.kill('SIGKILL');
  }
}
