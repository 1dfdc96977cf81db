// Entry point `#test-data`, for this repository only: recordings and corpora of the tests, for the benchmarks.
export { type Case, readCorpus } from '../refine/corpus.ts';
export { scoreVocabulary } from '../refine/vocabulary-corpus.ts';
export { refineWhole, refineWholeText } from '../refine/whole-chain.ts';
export { speechClip } from '../speech/clip.ts';
