// Fuzz targets of the decoders: one for each container, each input decoded whole and in pieces.
import { corpus, type Specimen } from '../corpus.ts';
import type { FuzzTarget, OpenTarget } from '../target.ts';
import { checkDecoding } from '../trial.ts';

/** What a file holds beyond this says nothing new: the reader sees more of the same. */
const BYTES_MAX = 6_000;

export const audioTargets = (): ReadonlyMap<string, OpenTarget> => {
  const byContainer = new Map<string, Specimen[]>();
  for (const specimen of corpus())
    byContainer.set(specimen.container, [...(byContainer.get(specimen.container) ?? []), specimen]);
  const open =
    (container: string, specimens: readonly Specimen[]): OpenTarget =>
    async (): Promise<FuzzTarget> => ({
      name: container,
      seeds: specimens.map(({ bytes }) => bytes.subarray(0, BYTES_MAX)),
      within: '/src/audio/',
      bytesMax: BYTES_MAX,
      run: async (bytes, random) => {
        await checkDecoding(new Uint8Array(bytes), random);
      },
    });
  return new Map([...byContainer].map(([container, specimens]) => [container, open(container, specimens)]));
};
