// Entry point of the speaker process. It keeps no state between calls, so that nothing is lost if it dies.
import { serveCalls } from '../process/serve-calls.ts';
import { loadSpeakerModels, type SpeakerModels } from './speaker-features.ts';
import type { SpeakerRequest } from './speaker-process.ts';

class SpeakerWorkStopped extends Error {
  constructor() {
    super('The speaker work was stopped.');
    this.name = 'SpeakerWorkStopped';
  }
}

serveCalls(async (options) => {
  const models = await loadSpeakerModels(options as SpeakerModels);
  return (payload, { shouldStop }) => {
    const request = payload as SpeakerRequest;
    const checkpoint = () => {
      if (shouldStop()) throw new SpeakerWorkStopped();
    };
    checkpoint();
    return request.kind === 'segment'
      ? models.segment(request.samples, request.starts, checkpoint)
      : models.embed(request.stretch, request.regions, checkpoint);
  };
});
