// Runs LiveKit's plugins, which are installed in a folder outside the repository because of their size.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Driver } from './drivers.ts';
import { FIRST_WORDS, phrasesAt, SECOND_WORDS } from './recording.ts';

/** The parts of the packages that are used here. */
interface Frame {
  readonly data: Int16Array;
}
interface SpeechEvent {
  readonly type: number;
  readonly alternatives?: readonly { readonly text: string }[];
}
interface SpeechStream extends AsyncIterable<SpeechEvent> {
  pushFrame(frame: Frame): void;
  flush(): void;
  endInput(): void;
}
type Plugin = Record<string, new (options: object) => { stream(): SpeechStream }>;
interface Agents {
  readonly initializeLogger: (options: object) => void;
  readonly stt: { readonly SpeechEventType: Readonly<Record<number, string>> };
  readonly VADEventType: Readonly<Record<'START_OF_SPEECH' | 'END_OF_SPEECH', number>>;
}
interface Rtc {
  readonly AudioFrame: new (data: Int16Array, rateHz: number, channels: number, samples: number) => Frame;
}

interface Setup {
  readonly plugin: 'deepgram' | 'openai';
  readonly class: 'STT' | 'STTv2';
  readonly detail?: string;
  readonly rateHz: number;
  readonly options: (address: string, agents: Agents) => object;
  /** Its events around a text, without interims. */
  readonly order: (text: string) => readonly string[];
}

const textThenEnd = (text: string) => ['START_OF_SPEECH', `FINAL_TRANSCRIPT ${text}`, 'END_OF_SPEECH'];
const endThenText = (text: string) => ['START_OF_SPEECH', 'END_OF_SPEECH', `FINAL_TRANSCRIPT ${text}`];

const FRAME_MS = 50;
/** LiveKit's default. */
const VAD_SILENCE_MS = 250;
const LOUD = 1_000;

/** Takes the place of LiveKit's voice detection, which does not hear tones. */
class LoudnessVad implements AsyncIterable<{ readonly type: number }> {
  readonly #types: Agents['VADEventType'];
  readonly #events: { readonly type: number }[] = [];
  #wake: (() => void) | undefined;
  #silenceMs = VAD_SILENCE_MS;
  #isClosed = false;

  constructor({ VADEventType }: Agents) {
    this.#types = VADEventType;
  }

  pushFrame({ data }: Frame): void {
    const wasSpeech = this.#silenceMs < VAD_SILENCE_MS;
    this.#silenceMs = data.some((sample) => sample > LOUD) ? 0 : this.#silenceMs + FRAME_MS;
    const isSpeech = this.#silenceMs < VAD_SILENCE_MS;
    if (isSpeech !== wasSpeech)
      this.#events.push({ type: this.#types[isSpeech ? 'START_OF_SPEECH' : 'END_OF_SPEECH'] });
    this.#wake?.();
  }

  endInput(): void {}

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator]() {
    while (!this.#isClosed) {
      const event = this.#events.shift();
      if (event) yield event;
      else
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
    }
  }
}

const SETUPS: readonly Setup[] = [
  {
    plugin: 'deepgram',
    class: 'STT',
    rateHz: 16_000,
    options: (address) => ({ baseUrl: `ws://${address}` }),
    order: textThenEnd,
  },
  {
    plugin: 'deepgram',
    class: 'STTv2',
    rateHz: 16_000,
    options: (address) => ({ endpointUrl: `ws://${address}/v2/listen`, eagerEotThreshold: 0.5 }),
    order: textThenEnd,
  },
  {
    plugin: 'openai',
    class: 'STT',
    rateHz: 24_000,
    options: (address) => ({ baseURL: `http://${address}/v1`, model: 'gpt-4o-mini-transcribe' }),
    order: endThenText,
  },
  {
    plugin: 'openai',
    class: 'STT',
    detail: ' that commits',
    rateHz: 24_000,
    options: (address, agents) => ({
      baseURL: `http://${address}/v1`,
      model: 'gpt-realtime-whisper',
      vad: { stream: () => new LoudnessVad(agents) },
    }),
    order: endThenText,
  },
];

/** Follows the events of a stream, and checks that interims come only between the start of speech and its final. */
class Said {
  readonly events: string[] = [];
  readonly over: Promise<void>;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(stream: SpeechStream, names: Readonly<Record<number, string>>) {
    this.over = this.#follow(stream, names);
  }

  /** Resolves when this many events have arrived, or the stream has ended. */
  async until(count: number): Promise<void> {
    while (this.events.length < count && !this.#isOver)
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
  }

  async #follow(stream: SpeechStream, names: Readonly<Record<number, string>>): Promise<void> {
    for await (const { type, alternatives } of stream) {
      const name = names[type] ?? '';
      const count = (prefix: string) => this.events.filter((event) => event.startsWith(prefix)).length;
      if (name === 'INTERIM_TRANSCRIPT' || name === 'PREFLIGHT_TRANSCRIPT')
        assert.equal(count('START'), count('FINAL') + 1, `${name} outside speech`);
      else if (name !== 'RECOGNITION_USAGE')
        this.events.push([name, ...(alternatives ?? []).map(({ text }) => text)].join(' '));
      this.#wake?.();
    }
    this.#isOver = true;
    this.#wake?.();
  }
}

/** Drivers of the plugins in a folder's `node_modules`. */
export const livekitDrivers = (folder: string): readonly Driver[] => {
  const load = createRequire(join(resolve(folder), 'package.json'));
  const agents: Agents = load('@livekit/agents');
  const { AudioFrame }: Rtc = load('@livekit/rtc-node');
  agents.initializeLogger({ pretty: false, level: 'warn' });
  return SETUPS.map(({ plugin, class: name, detail = '', rateHz, options, order }) => {
    const plugins = `@livekit/agents-plugin-${plugin}`;
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', plugins, 'package.json'), 'utf8'));
    const { [name]: Stt }: Plugin = load(plugins);
    return {
      client: `${plugins} ${version}, ${name}${detail}`,
      rateHz,
      run: async (port, apiKey) => {
        const stream = new Stt!({ apiKey, ...options(`127.0.0.1:${port}`, agents) }).stream();
        const said = new Said(stream, agents.stt.SpeechEventType);
        const expected: string[] = [];
        const texts = [FIRST_WORDS, SECOND_WORDS].map((words) => words.join(' '));
        for (const [at, phrase] of phrasesAt(rateHz).entries()) {
          const samples = new Int16Array(Uint8Array.from(phrase).buffer);
          const step = (rateHz / 1000) * FRAME_MS;
          for (let from = 0; from < samples.length; from += step) {
            const part = samples.slice(from, from + step);
            stream.pushFrame(new AudioFrame(part, rateHz, 1, part.length));
          }
          expected.push(...order(texts[at]!));
          await said.until(expected.length);
          stream.flush();
        }
        stream.endInput();
        await said.over;
        assert.deepEqual(said.events, expected);
      },
    };
  });
};
