// Entry point `@faircopy/server/refinement`: the refinement passes on text.
export { refineSync, refineText } from '../refine/chain.ts';
export type { Edit } from '../refine/refiner.ts';
