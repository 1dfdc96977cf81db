// The weights of the tiers run the plain way: Whisper in transformers.js with the spoken language given, Moonshine on the
// whole utterance.
import { createUploadDecoding } from '@faircopy/server/dist/src/audio/decoding.js';
import { joinSamples } from '@faircopy/server/dist/src/audio/resample.js';
import { installPeers, type Peer, PLAIN_MODELS } from '../peer-processes.ts';
import { readSamples } from './audio.ts';
import type { Listener } from './listener.ts';

const plainListener = async (peer: Peer): Promise<Listener> => {
  const decoding = createUploadDecoding();
  const process = await peer.start();
  return {
    name: peer.name,
    parallel: 1,
    knows: ({ language }) => peer.speaks === 'any language' || !language || language === 'en',
    async hear(path, { language }) {
      const samples = joinSamples(await readSamples(path, decoding));
      const { text, wallMs } = await process.ask({ samples, language: language ?? undefined });
      return { text, rawText: text, language: null, wallSeconds: wallMs / 1000 };
    },
    async close() {
      await process.stop();
      await decoding.close();
    },
  };
};

/** Those whose name has one of these texts in it; all of them when none is given. */
export const plainPeers = async (wanted: readonly string[]): Promise<readonly (() => Promise<Listener>)[]> => {
  await installPeers();
  return PLAIN_MODELS.filter(({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text))).map(
    (peer) => () => plainListener(peer),
  );
};
