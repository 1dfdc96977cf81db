// A speech engine whose recognisers and voice activity detection run in real child processes, on tones instead of models.
import { MODEL_IDS } from '@faircopy/contract';
import { RecogniserPool } from '../../src/speech/pool/pool.ts';
import type { SpeechEngine, VoiceProbe } from '../../src/speech/recogniser.ts';
import { VadProcess } from '../../src/speech/vad/vad-process.ts';
import { testProgram } from '../programs/test-program.ts';

const entry = (name: string): string => testProgram(new URL(name, import.meta.url));

export class ProcessEngine implements SpeechEngine {
  readonly recogniser: RecogniserPool;
  readonly #voice: VadProcess;

  constructor(processes: number) {
    const init = { folders: {}, tiers: MODEL_IDS, threads: 1 };
    this.recogniser = new RecogniserPool({
      entry: entry('./recogniser-process.js'),
      processes: Array.from({ length: processes }, () => init),
      rssBytesMax: Number.POSITIVE_INFINITY,
    });
    this.#voice = new VadProcess({ modelPath: '', entry: entry('./voice-process.js') });
  }

  get recogniserPids(): number[] {
    return this.recogniser.processes.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  }

  get voicePids(): number[] {
    const { pid } = this.#voice.status;
    return pid === null ? [] : [pid];
  }

  openVoiceProbe(): VoiceProbe {
    return this.#voice.openProbe();
  }

  async ready(): Promise<void> {
    this.#voice.start();
    this.recogniser.start();
    await Promise.all([this.#voice.ready(), this.recogniser.ready()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#voice.close(), this.recogniser.close()]);
  }
}
