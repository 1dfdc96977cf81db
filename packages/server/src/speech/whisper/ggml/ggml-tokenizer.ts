// The tokenizer of an English-only ggml Whisper: the vocabulary is in the model file, special tokens follow it.
import { open } from 'node:fs/promises';
import type { WhisperTokenizer } from '../tokenizer.ts';
import { BytePairs } from './byte-pairs.ts';
import { GgmlFault, readGgmlHead } from './ggml-file.ts';

/** Sizes and vocabulary are shorter than this. */
const HEAD_BYTES = 8 * 2 ** 20;
const TIMESTAMPS = 1501;
/** By vocabulary size, which does not depend on the size of the model. */
const VOCABULARIES: Readonly<Record<number, { readonly languages: number; readonly namesLanguage: boolean }>> = {
  /** English only. Language tokens exist but are not used. */
  51864: { languages: 99, namesLanguage: false },
  /** The vocabulary of Whisper large v3, for models trained on English only. */
  51866: { languages: 100, namesLanguage: true },
};
/** Offsets of the special tokens; English is the first language. */
const specialTokens = (languages: number) => ({
  endOfText: 0,
  startOfTranscript: 1,
  english: 2,
  translate: 2 + languages,
  transcribe: 3 + languages,
  startOfPrevious: 5 + languages,
  noSpeech: 6 + languages,
  noTimestamps: 7 + languages,
  firstTimestamp: 8 + languages,
});
/** Suppressed: symbols for sounds and speakers, not words. */
const SIGNS = [
  ...'"#()*+/:;<=>@[\\]^_`{|}~「」『』',
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
];
const NOTES = [...'♩♪♫♬♭♮♯'];
/** [layer, head] pairs whose attention follows the audio, by the number of decoder layers and heads. */
const ALIGNMENT_HEADS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  '6,8': [
    [3, 3],
    [4, 7],
    [5, 1],
    [5, 5],
    [5, 7],
  ],
};

const readBeginning = async (path: string): Promise<Uint8Array> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

export const loadGgmlTokenizer = async (path: string): Promise<WhisperTokenizer> => {
  const { shape, tokens } = readGgmlHead(await readBeginning(path));
  const vocabulary = VOCABULARIES[shape.vocabulary];
  if (!vocabulary) throw new GgmlFault('it is not an English-only model');
  const places = specialTokens(vocabulary.languages);
  const first = shape.vocabulary - TIMESTAMPS - places.firstTimestamp;
  const pairs = new BytePairs(tokens.slice(0, first));
  const { english, ...special } = Object.fromEntries(
    Object.entries(places).map(([name, place]) => [name, first + place]),
  ) as typeof places;
  return {
    ...special,
    heads: shape.textHeads,
    headSize: shape.textWidth / shape.textHeads,
    melBins: shape.melBins,
    size: shape.vocabulary,
    languages: new Map([['en', vocabulary.namesLanguage ? english : null]]),
    suppressed: suppressedBy(pairs),
    suppressedAtStart: [...pairs.encode(' '), special.endOfText],
    alignmentHeads: ALIGNMENT_HEADS[`${shape.textLayers},${shape.textHeads}`] ?? lastLayers(shape),
    positions: shape.textPositions,
    encode: (text) => pairs.encode(text),
    decode: (given) => pairs.decode(given),
  };
};

const suppressedBy = (pairs: BytePairs): number[] => {
  const found = [' -', " '"].map((text) => pairs.encode(text)[0]!);
  for (const sign of [...SIGNS, ...NOTES]) {
    for (const text of [sign, ` ${sign}`]) {
      const [token, another] = pairs.encode(text);
      if (another === undefined || NOTES.includes(sign)) found.push(token!);
    }
  }
  return [...new Set(found)].sort((a, b) => a - b);
};

/** Fallback: every head of the upper half of the layers. */
const lastLayers = ({ textLayers, textHeads }: { textLayers: number; textHeads: number }): [number, number][] => {
  const half = Math.floor(textLayers / 2);
  return Array.from({ length: (textLayers - half) * textHeads }, (_, i) => [
    half + Math.floor(i / textHeads),
    i % textHeads,
  ]);
};
