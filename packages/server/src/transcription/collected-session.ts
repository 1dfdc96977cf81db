// Opens a session whose finish() returns the whole transcript, for benchmarks and tests.

import type { Session, SessionListener, SessionRequest, Transcriber, Transcript } from './transcriber.ts';
import { TranscriptCollector } from './transcript-collector.ts';

export interface CollectedSession extends Omit<Session, 'finish'> {
  finish(): Promise<Transcript>;
}

export const openCollected = (
  transcriber: Transcriber,
  request: SessionRequest,
  listener: SessionListener = () => undefined,
): CollectedSession => {
  const collector = new TranscriptCollector();
  const session = transcriber.open(request, (event) => {
    collector.take(event);
    listener(event);
  });
  return {
    write: (samples) => session.write(samples),
    flush: () => session.flush(),
    finish: async () => {
      await session.finish();
      return collector.transcript;
    },
    emitStableText: () => session.emitStableText(),
    setRefinement: (level, redaction) => session.setRefinement(level, redaction),
    setVocabulary: (terms) => session.setVocabulary(terms),
    cancel: () => session.cancel(),
  };
};
