// The weights of the tiers, run the way their publishers document.
// Whisper runs in transformers.js with the language given, Moonshine on the whole utterance.
import { createUploadDecoding, joinSamples } from '@faircopy/server/audio';
import type { Peer } from '../peer.ts';
import { installPeers, PLAIN_MODELS } from '../peer-processes.ts';
import { readSamples } from './audio.ts';
import type { ScoredSystem } from './scored-system.ts';

const plainSystem = async (peer: Peer): Promise<ScoredSystem> => {
  const decoding = createUploadDecoding();
  const process = await peer.start();
  return {
    name: peer.name,
    parallel: 1,
    supports: ({ language }) => peer.languages === 'any' || !language || language === 'en',
    async transcribe(path, { language }) {
      const samples = joinSamples(await readSamples(path, decoding));
      const { text, wallMs } = await process.request({ samples, language: language ?? undefined });
      return { text, rawText: text, language: null, wallSeconds: wallMs / 1000 };
    },
    async close() {
      await process.stop();
      await decoding.close();
    },
  };
};

/** The systems whose names contain one of the texts; all systems if there are no texts. */
export const plainSystems = async (wanted: readonly string[]): Promise<readonly (() => Promise<ScoredSystem>)[]> => {
  await installPeers();
  return PLAIN_MODELS.filter(({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text))).map(
    (peer) => () => plainSystem(peer),
  );
};
