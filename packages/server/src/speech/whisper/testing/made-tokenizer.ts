// The tokenizer and generation settings of a generated Whisper: real special tokens, numbered words.

const WORDS = 50_257;
const TIMESTAMPS = 1501;
/** Whisper's languages in its order; the last one came with 128 mel bins. */
const LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'.split(
    ' ',
  );

const languagesOf = (melBins: number): readonly string[] => (melBins === 128 ? LANGUAGES : LANGUAGES.slice(0, -1));

const specialTokens = (melBins: number): string[] => [
  '<|endoftext|>',
  '<|startoftranscript|>',
  ...languagesOf(melBins).map((code) => `<|${code}|>`),
  ...['<|translate|>', '<|transcribe|>', '<|startoflm|>', '<|startofprev|>', '<|nospeech|>', '<|notimestamps|>'],
];

export const vocabularyOf = (melBins: number): number => WORDS + specialTokens(melBins).length + TIMESTAMPS;

export const madeGeneration = (melBins: number, decoderLayers: number) => {
  const place = new Map(specialTokens(melBins).map((token, nth) => [token, WORDS + nth]));
  const last = decoderLayers - 1;
  return {
    decoder_start_token_id: place.get('<|startoftranscript|>'),
    eos_token_id: place.get('<|endoftext|>'),
    no_timestamps_token_id: place.get('<|notimestamps|>'),
    task_to_id: { transcribe: place.get('<|transcribe|>'), translate: place.get('<|translate|>') },
    lang_to_id: Object.fromEntries(languagesOf(melBins).map((code) => [`<|${code}|>`, place.get(`<|${code}|>`)])),
    suppress_tokens: [],
    begin_suppress_tokens: [220, WORDS],
    alignment_heads: [
      [last, 0],
      [last, 1],
    ],
  };
};

export const madeTokenizer = (melBins: number) => ({
  version: '1.0',
  added_tokens: specialTokens(melBins).map((content, nth) => ({
    id: WORDS + nth,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: '',
    end_of_word_suffix: '',
    fuse_unk: false,
    // The space before a word.
    vocab: Object.fromEntries(Array.from({ length: WORDS }, (_, nth) => [`\u0120w${nth}`, nth])),
    merges: [],
  },
});
