// Streams: the time from close to result, and how the cost grows with their number.
import { clipsOfLength } from '../clips.ts';
import { pcm16 } from '../pcm-speech.ts';
import { FRAME_MS, measureStreams } from '../stream-latency.ts';
import { measureTiers } from './measure-tiers.ts';
import type { Section } from './section.ts';

const SECONDS_MAX = 30;
const ROUNDS_ALONE_MAX = 3;

export const streams: Section = {
  title: 'Streams',
  about:
    `English, up to ${SECONDS_MAX} s each in frames of ${FRAME_MS} ms in real time, with one concurrent stream per client; ` +
    'closed during speech and after a silence. *File* is file mode on the same audio.',
  async run(context) {
    const seconds = Math.min(SECONDS_MAX, Math.max(...context.lengths));
    const speech = pcm16(clipsOfLength(context.languages[0]!.sentences, seconds, 1)[0]!.samples);
    const roundsAlone = Math.min(ROUNDS_ALONE_MAX, context.rounds);
    return measureTiers(context, (model, server) =>
      measureStreams(server, { model, speech, counts: context.clients, roundsAlone }, context.log),
    );
  },
};
