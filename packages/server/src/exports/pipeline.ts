// Entry point `@faircopy/server/pipeline`: samples to refined text in this process, without a server.
export { parseConfig } from '../app/config.ts';
export { createRefiner } from '../refine/create-refiner.ts';
export type { ContestedTerms } from '../speech/cascade/english/around-terms.ts';
export { LocalSpeechEngine } from '../speech/engine.ts';
export type { SpeechEngine } from '../speech/recogniser.ts';
export { neededModels } from '../speech/store/needed.ts';
export { openModelStore } from '../speech/store/open.ts';
export { storeProgress } from '../speech/store/progress.ts';
export type { ScoredTerms } from '../speech/terms/apply-terms.ts';
export { TERM_RULES, type TermRules } from '../speech/terms/rules.ts';
export { openCollected } from '../transcription/collected-session.ts';
export { silentObserver } from '../transcription/observer.ts';
export { TranscriptionService } from '../transcription/service.ts';
export { InlineRefinementStage } from '../transcription/text/refinement-stage.ts';
export type { SessionEvent } from '../transcription/transcriber.ts';
