// The tokenizer of an English-only ggml Whisper: its vocabulary is in the model file, its special tokens come after it.
import { open } from 'node:fs/promises';
import type { WhisperTokenizer } from '../tokenizer.ts';
import { BytePairs } from './byte-pairs.ts';
import { GgmlFault, readGgmlHead } from './ggml-file.ts';

/** Sizes and vocabulary take less than this. */
const HEAD_BYTES = 8 * 2 ** 20;
/** Special tokens, counted from the first. Between them lie those of languages that an English-only Whisper does not know. */
const SPECIAL = {
  endOfText: 0,
  startOfTranscript: 1,
  translate: 101,
  transcribe: 102,
  startOfPrevious: 104,
  noSpeech: 105,
  noTimestamps: 106,
  firstTimestamp: 107,
} as const;
const TIMESTAMPS = 1501;
/** The same in every size; those of many languages have more. */
const VOCABULARY = 51_864;
/** Signs that stand for sounds and speakers, not for words: never written. */
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
  if (shape.vocabulary !== VOCABULARY) throw new GgmlFault('it is not an English-only one');
  const first = VOCABULARY - TIMESTAMPS - SPECIAL.firstTimestamp;
  const pairs = new BytePairs(tokens.slice(0, first));
  const special = Object.fromEntries(Object.entries(SPECIAL).map(([name, place]) => [name, first + place])) as Record<
    keyof typeof SPECIAL,
    number
  >;
  return {
    ...special,
    heads: shape.textHeads,
    headSize: shape.textWidth / shape.textHeads,
    melBins: shape.melBins,
    size: shape.vocabulary,
    languages: new Map([['en', null]]),
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

/** Where nothing better is known: every head of the upper half. */
const lastLayers = ({ textLayers, textHeads }: { textLayers: number; textHeads: number }): [number, number][] => {
  const half = Math.floor(textLayers / 2);
  return Array.from({ length: (textLayers - half) * textHeads }, (_, i) => [
    half + Math.floor(i / textHeads),
    i % textHeads,
  ]);
};
