// Tests diarization of real speech through the whole service with real models.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { assetPath } from '../../src/cli/asset-path.ts';
import { parseRoomSettings } from '../../src/config/parse.ts';
import { LocalSpeechEngine } from '../../src/speech/engine.ts';
import { speechSettings } from '../../src/speech/settings.ts';
import { SPEAKER_WEIGHTS } from '../../src/speech/speakers/families.ts';
import { neededModels } from '../../src/speech/store/needed.ts';
import { openModelStore } from '../../src/speech/store/open.ts';
import { storedModels } from '../../src/speech/testing/stored-models.ts';
import { joined } from '../../src/speech/testing/tones.ts';
import { drain } from '../audio/decode-bytes.ts';
import { FORM_TYPE, field, file, form, wavOf } from '../http/forms.ts';
import { failure, startService, success } from '../http/service.ts';

const TIER = 'svc-1.0-lite';
const stored = await storedModels([...neededModels([TIER]), SPEAKER_WEIGHTS.embedding]);
const real = { skip: 'skip' in stored ? stored.skip : false };

/** Where two voices of the talk begin and pause, in seconds. */
const FIRST = [0, 2.4, 7.3] as const;
const SECOND = [7.4, 12, 15.6] as const;

const conversation = async (): Promise<Float32Array> => {
  const decoding = createUploadDecoding();
  try {
    const { samples } = await drain(decoding.open({ maxDurationSeconds: 60 }), await readFile(assetPath('talk.ogg')));
    const cut = (from: number, to: number) => samples.subarray(from * 16_000, to * 16_000);
    return joined(
      cut(FIRST[0], FIRST[1]),
      cut(SECOND[0], SECOND[1]),
      cut(FIRST[1], FIRST[2]),
      cut(SECOND[1], SECOND[2]),
    );
  } finally {
    await decoding.close();
  }
};

/** Chords with overtones, a new one every half second. */
const music = (seconds: number): Float32Array =>
  Float32Array.from({ length: seconds * 16_000 }, (_, n) => {
    const time = n / 16_000;
    const root = 220 * 2 ** ([0, 5, 7, 3][Math.floor(time * 2) % 4]! / 12);
    const tones = [1, 1.25, 1.5, 2, 3].map((ratio) => Math.sin(2 * Math.PI * root * ratio * time) / ratio);
    return 0.1 * Math.exp(-2 * (time % 0.5)) * tones.reduce((sum, tone) => sum + tone, 0);
  });

test(
  'two voices get two speakers, text and times are the same as without, and music is not a voice',
  real,
  async (t) => {
    // No model is downloaded: if the segmentation model is missing, diarization must work without it.
    const env = { FAIRCOPY_MODELS: TIER, FAIRCOPY_RECOGNISERS: '1', HF_ENDPOINT: 'http://127.0.0.1:9' };
    const { FAIRCOPY_MODELS_DIR } = process.env;
    const config = parseRoomSettings(speechSettings, { ...env, FAIRCOPY_MODELS_DIR });
    const engine = new LocalSpeechEngine({ config, store: openModelStore(config) });
    const service = await startService(t, {
      config: { models: [TIER], voicesSecret: 'a secret of at least thirty-two characters' },
      overrides: { engine },
    });
    const recording = wavOf(await conversation());
    const model = field('model', TIER);
    const include = field('include', 'words,segments');
    const plain = await success(await service.post(form(model, include, file(recording))));
    const found = await success(await service.post(form(model, include, field('speakers', 'true'), file(recording))));
    assert.deepEqual(found.result, plain.result);
    const words = found.detail?.words ?? [];
    assert.ok(words.length > 20);
    assert.deepEqual(
      words.map(({ speaker: _, speaker_confidence: __, ...word }) => word),
      plain.detail?.words,
    );
    assert.deepEqual(
      found.detail?.segments?.map(({ speaker: _, ...segment }) => segment),
      plain.detail?.segments,
    );
    assert.equal(found.detail?.speakers?.length, 2);
    const changes = [FIRST[1], FIRST[1] + SECOND[1] - SECOND[0], FIRST[2] + SECOND[1] - SECOND[0]];
    const right = words.filter(({ start_seconds, end_seconds, speaker }) => {
      const middle = (start_seconds + end_seconds) / 2;
      return speaker === changes.filter((second) => second <= middle).length % 2;
    });
    assert.ok(right.length >= words.length - 1, `${right.length} of ${words.length} words`);

    const enrolment = form(field('name', 'Ada'), field('consent', 'true'), file(wavOf(music(12))));
    const headers = { authorization: `Token ${service.key}`, 'content-type': FORM_TYPE };
    const refused = await fetch(`${service.url}/v1/voices`, { method: 'POST', headers, body: enrolment });
    assert.deepEqual([refused.status, (await failure(refused)).error.code], [422, 'VOICE_UNCLEAR']);
  },
);
