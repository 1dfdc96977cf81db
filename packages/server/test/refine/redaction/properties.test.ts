// Property tests of redaction: personal data in any spoken form is left in no part of any answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INCLUDES, MODEL_IDS, REFINE_LEVELS, type RefineLevel } from '@faircopy/contract';
import { subtitles, writtenWords } from '@faircopy/transcript';
import fc from 'fast-check';
import { ModelNames } from '../../../src/calls/model-names.ts';
import { successBody } from '../../../src/calls/success-response.ts';
import { readListenFile } from '../../../src/endpoints/deepgram/file/parameters.ts';
import { renderListened } from '../../../src/endpoints/deepgram/file/response.ts';
import { DEEPGRAM_MODELS } from '../../../src/endpoints/deepgram/model-aliases.ts';
import { renderTranscription } from '../../../src/endpoints/openai/transcriptions/response.ts';
import { createRefiner } from '../../../src/refine/create-refiner.ts';
import { SessionRedaction } from '../../../src/transcription/text/session-redaction.ts';
import type { Transcript } from '../../../src/transcription/transcriber.ts';
import { inputOf, PII, timedWords } from './corpus.ts';
import { KINDS, type Secret, secret } from './secrets.ts';

const SEED = 20_261_118;
const NEVER = new AbortController().signal;
const refiner = createRefiner({ tagger: null });
const level = fc.constantFrom(...REFINE_LEVELS);

const transcriptOf = async (
  redaction: SessionRedaction,
  { language, text, level, isOpenEnd }: Omit<Secret, 'traces'> & { level: RefineLevel; isOpenEnd: boolean },
): Promise<Transcript> => {
  const input = { ...inputOf({ language, text }), level, redaction: redaction.input(isOpenEnd) };
  const assembled = { segments: [{ ...input.pieces[0]!, noSpeechProbability: 0 }], words: timedWords(text) };
  const asked = await refiner.refine(input, NEVER);
  const { refined, segments, words, terms } = redaction.conceal(assembled, input, asked, []);
  redaction.remember(input, refined);
  return {
    ...{ text: refined.text, rawText: refined.rawText, edits: refined.edits, segments, words, terms },
    ...{ detectedLanguage: language, outputTokenCount: 1, recognitionMs: 1, refinementMs: 1, refinementFallback: null },
  };
};

const MODEL = MODEL_IDS[0];
const OPENAI = {
  transcription: { model: MODEL, languageHint: undefined, wantWordTimes: true },
  warnings: [],
  isStreamed: false,
  wantSegments: true,
  wantWords: true,
  wantLogProbabilities: true,
  known: undefined,
} as const;
const DEEPGRAM = [{ smart_format: 'true' }, { punctuate: 'false' }, { numerals: 'true' }].map((options) =>
  readListenFile(
    { model: 'nova-3', utterances: 'true', paragraphs: 'true', ...options },
    new ModelNames(DEEPGRAM_MODELS, MODEL_IDS),
  ),
);

/** Every text in an answer, including arrays of bytes. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number'))
    return [Buffer.from(value).toString()];
  return Object.entries(value).flatMap(([key, each]) => (key === 'id' ? [] : textsIn(each)));
};

/** The answers of the native, OpenAI and Deepgram endpoints, without times and ids. */
const answersOf = (transcript: Transcript): string[] => {
  const audio = { transcript, audioSeconds: 9 };
  const native = successBody(audio, { requestId: '', include: new Set(INCLUDES) });
  const jsons = (['json', 'verbose_json', 'diarized_json'] as const).map(
    (format) => JSON.parse(renderTranscription(audio, { ...OPENAI, format }).body) as unknown,
  );
  const cues = (['srt', 'vtt', 'text'] as const).map((format) =>
    renderTranscription(audio, { ...OPENAI, format })
      .body.split('\n')
      .filter((line) => !/-->|^\d+$/u.test(line)),
  );
  const listened = DEEPGRAM.map(
    (request) =>
      renderListened({ requestId: '01', sha256: '', audioSeconds: 9, transcripts: [transcript] }, request).results,
  );
  return [native, ...jsons, ...cues, ...listened].map((answer) => textsIn(answer).join(' ').toLowerCase());
};

const assertNothingLeft = (transcripts: readonly Transcript[], { traces, text }: Secret): void => {
  for (const answer of transcripts.flatMap(answersOf))
    for (const trace of traces)
      assert.equal(answer.includes(trace.toLowerCase()), false, `${trace} of "${text}" in ${answer}`);
};

for (const kind of KINDS) {
  test(`${kind}: in any form and language, at any level, nothing is left in any answer`, async () => {
    const property = fc.asyncProperty(secret(kind), level, async (said, level) => {
      const transcript = await transcriptOf(new SessionRedaction(PII), { ...said, level, isOpenEnd: false });
      assertNothingLeft([transcript], said);
      assert.match(transcript.text, /\[[A-Z_]+_\d\]/u);
      assert.equal(writtenWords(transcript).at(-1)?.endMs, 300 * said.text.split(' ').length - 50, 'word times stay');
      assert.ok(subtitles(writtenWords(transcript)).length > 0);
    });
    await fc.assert(property, { numRuns: 25, seed: SEED });
  });

  test(`${kind}: over several finals, cut anywhere, nothing is left in any of them`, async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(secret(kind), level, cuts, async (said, level, at) => {
      const words = said.text.split(' ');
      const borders = [...new Set(at.map((cut) => cut % words.length))].filter((cut) => cut > 0).sort((a, b) => a - b);
      const redaction = new SessionRedaction(PII);
      const finals: Transcript[] = [];
      for (const [n, from] of [0, ...borders].entries()) {
        const text = words.slice(from, borders[n] ?? words.length).join(' ');
        finals.push(await transcriptOf(redaction, { ...said, text, level, isOpenEnd: n < borders.length }));
      }
      assertNothingLeft(finals, said);
    });
    await fc.assert(property, { numRuns: 25, seed: SEED });
  });
}
