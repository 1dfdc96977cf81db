// Entry point `@faircopy/server/refinement`: the refinement passes on text.
export { type ChainResult, refineInSlices, refineSync, refineText } from '../refine/chain.ts';
export type { Tagger } from '../refine/disfluency-tagger.ts';
export type { Edit } from '../refine/refiner.ts';
export { TrainedTagger } from '../refine/tagger/tagger.ts';
export { loadTaggerModel } from '../refine/tagger/tagger-model.ts';
