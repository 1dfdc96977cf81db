import assert from 'node:assert/strict';
import test from 'node:test';
import type { MultilingualModel, TranscribeOptions } from '../acoustic/acoustic-model.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import type { TierModels } from './load-models.ts';
import { recogniseWith } from './recognise.ts';
import { TIERS } from './tiers.ts';

test('a translation uses only the multilingual model, and reports the spoken language', async () => {
  const asked: TranscribeOptions[] = [];
  const multilingual = {
    id: 'scripted',
    languages: new Set(['en', 'de']),
    detectsLanguage: true,
    encode: async () => ({
      detectLanguage: async () => new Map([['de', 0.95]]),
      transcribe: async (options: TranscribeOptions) => {
        asked.push(options);
        return {
          text: 'Good morning.',
          averageLogProbability: -0.2,
          noSpeechProbability: 0,
          degenerate: false,
          stoppedEarly: false,
          tokens: [],
          logProbabilities: [],
        };
      },
    }),
  } as unknown as MultilingualModel;
  const english = { encode: () => assert.fail('the English model was asked') };
  const roles = { english, multilingual, detector: multilingual, secondDetector: multilingual };
  const models = { tier: TIERS['svc-1.0-pro'], ...roles } as unknown as TierModels;
  const window = windowOf({
    tier: 'svc-1.0-pro',
    task: 'translate',
    samples: new Float32Array(16_000),
    vocabulary: [{ text: 'Anna' }],
    wantWordTimes: true,
  });
  const recognition = await recogniseWith(models, window, () => undefined);
  assert.equal(recognition.text, 'Good morning.');
  assert.equal(recognition.languages[0]?.language, 'de');
  assert.deepEqual(recognition.words, []);
  assert.deepEqual(
    asked.map(({ task, language, vocabulary }) => [task, language, vocabulary]),
    [['translate', 'de', ['Anna']]],
  );
});
