// The audio worklet, which runs in the browser's audio thread. Converts float samples into pcm16 chunks of 0.1 s.

interface WorkletPort {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: ArrayBuffer | null, transfer?: readonly ArrayBuffer[]): void;
}
declare class AudioWorkletProcessor {
  readonly port: WorkletPort;
}
declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare const sampleRate: number;

const CHUNK_SAMPLES = Math.round(sampleRate / 10);

class Pcm16Processor extends AudioWorkletProcessor {
  #chunk = new Int16Array(CHUNK_SAMPLES);
  #filled = 0;
  #state: 'running' | 'stopped' = 'running';

  constructor() {
    super();
    this.port.onmessage = () => {
      this.#state = 'stopped';
      this.#post(this.#chunk.slice(0, this.#filled));
      this.port.postMessage(null);
    };
  }

  /** The browser keeps the processor alive while this returns true. */
  process([channels]: readonly (readonly Float32Array[])[]): boolean {
    if (this.#state === 'stopped') return false;
    const [first, second] = channels ?? [];
    for (let index = 0; index < (first?.length ?? 0); index += 1) {
      const sample = second ? ((first?.[index] ?? 0) + (second[index] ?? 0)) / 2 : (first?.[index] ?? 0);
      this.#chunk[this.#filled] = Math.max(-1, Math.min(1, sample)) * 32_767;
      this.#filled += 1;
      if (this.#filled === CHUNK_SAMPLES) this.#next();
    }
    return true;
  }

  #next(): void {
    this.#post(this.#chunk);
    this.#chunk = new Int16Array(CHUNK_SAMPLES);
    this.#filled = 0;
  }

  /** Int16Array is little-endian on every machine a browser runs on. */
  #post(samples: Int16Array<ArrayBuffer>): void {
    if (samples.length > 0) this.port.postMessage(samples.buffer, [samples.buffer]);
  }
}

registerProcessor('faircopy-pcm16', Pcm16Processor);

export {};
