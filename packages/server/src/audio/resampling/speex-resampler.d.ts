// Types for the part of the Speex resampler's WebAssembly module that is used here; the package ships none.
declare module '@echogarden/speex-resampler-wasm/simd' {
  export interface SpeexModule {
    /** Replaced when the memory grows: do not keep a reference. */
    readonly HEAPF32: Float32Array;
    readonly HEAPU32: Uint32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _speex_resampler_init(channels: number, inRate: number, outRate: number, quality: number, error: number): number;
    _speex_resampler_skip_zeros(state: number): number;
    _speex_resampler_process_float(
      state: number,
      channel: number,
      input: number,
      inputLength: number,
      output: number,
      outputLength: number,
    ): number;
    _speex_resampler_destroy(state: number): void;
  }
  const load: () => Promise<SpeexModule>;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default load;
}
