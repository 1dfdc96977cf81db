import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpeechEvent } from '../engine-events.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import { readCatalogue } from '../store/catalogue.ts';
import { type SpeakerEmbedding, speakerEmbeddings } from './embeddings/embedding.ts';
import { SPEAKER_WEIGHTS } from './families.ts';
import { LocalSpeakers } from './local-speakers.ts';

const [embedding] = speakerEmbeddings(readCatalogue()) as [SpeakerEmbedding];

/** A store that cannot provide some models. */
const storeWithout = (...missing: readonly string[]) => ({
  ensure: async ([id = '']: readonly string[]) => {
    if (missing.includes(id)) throw new Error(`${id} is missing`);
  },
  folderOf: (id: string) => `/models/${id}`,
});

test('without the segmentation model, speakers are still found, and one event reports it', async () => {
  const events: SpeechEvent[] = [];
  const store = storeWithout(SPEAKER_WEIGHTS.segmentation);
  const speakers = new LocalSpeakers({ store, embedding, unloadAfterMs: null, onEvent: (event) => events.push(event) });
  for (const owner of ['a', 'b']) assert.equal((await speakers.open(owner)).hasSegmentation, false);
  assert.deepEqual(events, [{ type: 'segmentation_missing', error: 'speaker-segmentation is missing' }]);
  await speakers.close();
});

test('with both models there is no event; without the embedding model there are no speakers', async () => {
  const events: SpeechEvent[] = [];
  const onEvent = (event: SpeechEvent) => events.push(event);
  const whole = new LocalSpeakers({ store: storeWithout(), embedding, unloadAfterMs: null, onEvent });
  assert.equal((await whole.open('a')).hasSegmentation, true);
  await whole.close();
  const none = new LocalSpeakers({
    store: storeWithout(SPEAKER_WEIGHTS.embedding),
    embedding,
    unloadAfterMs: null,
    onEvent,
  });
  await assert.rejects(none.open('a'), RecogniserUnavailable);
  assert.deepEqual(events, []);
});
