// The waveform of a recording, decoded in the browser: the peak of each interval.

/** Enough for a waveform, at a sixth of the memory of 48 kHz. */
const DECODE_HZ = 8_000;
const BYTES_MAX = 64 * 1024 * 1024;

export interface Waveform {
  /** In 0..1. */
  readonly peaks: readonly number[];
  readonly seconds: number;
}

/** Null if the browser cannot decode it. */
export const waveformOf = async (audio: Blob, intervals: number): Promise<Waveform | null> => {
  if (audio.size > BYTES_MAX) return null;
  const context = new OfflineAudioContext(1, 1, DECODE_HZ);
  const decoded = await context.decodeAudioData(await audio.arrayBuffer()).catch(() => null);
  if (!decoded) return null;
  const samples = decoded.getChannelData(0);
  const size = Math.max(1, Math.floor(samples.length / intervals));
  const peaks = Array.from({ length: Math.min(intervals, samples.length) }, (_, at) => {
    let peak = 0;
    const end = Math.min(samples.length, (at + 1) * size);
    for (let index = at * size; index < end; index++) peak = Math.max(peak, Math.abs(samples[index]!));
    return peak;
  });
  const loudest = Math.max(0.05, ...peaks);
  return { peaks: peaks.map((peak) => peak / loudest), seconds: decoded.duration };
};
