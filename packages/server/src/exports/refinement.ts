// Entry point `@faircopy/server/refinement`: the refinement passes on text.
export { type Draft, refineInSlices, refineSync, refineText } from '../refine/chain.ts';
export type { Tagger } from '../refine/deletions.ts';
export type { Edit } from '../refine/refiner.ts';
export { TrainedTagger } from '../refine/tagger/tagger.ts';
export { loadTaggerModel } from '../refine/tagger/tagger-model.ts';
