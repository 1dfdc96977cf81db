// `#test-data` in this repository: recordings and corpora of the tests, for the benchmarks. Not published.
export { type Case, readCorpus } from '../refine/corpus.ts';
export { scoreVocabulary } from '../refine/vocabulary-corpus.ts';
export { refineWhole, refineWholeText } from '../refine/whole-chain.ts';
export { speechClip } from '../speech/clip.ts';
