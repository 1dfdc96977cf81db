// Words of English by which the guard tells a correction from other talk.
import { words } from '../languages/entry.ts';

/** Words by which a speaker says that what went before is wrong. */
export const RETRACTIONS =
  words(`no nope nah wait sorry mean meant rather scratch strike actually make correction oops whoops pardon
  excuse bad mistake forget never nevermind hold hang apologies rephrase doh specifically precisely`);
/** Several words that say so together. */
export const RETRACTING =
  / (?:should (?:be|say)|let me (?:say|ask|start)|tell me|better yet|not that|or (?:like|better|more|let|tell|i guess|i think)) /u;
/** Sounds and small words that may stand for a cue, when like follows like. */
export const LIGHT = words('oh ugh uh um er erm umm ummm uhh err hmm well like');
export const QUESTIONS = words('what who when where which why how whose whom');
/** How a question begins. */
export const OPENERS = words('what who when where which why how whose whom in at on during give tell were');
/** A word after which talk goes on rather than being corrected. */
export const SMALL =
  words(`i you he she it we they me him her us them my your his its our their this that these those there here the a an
  and but or so because if then to of in on at by for from with as is are was were be am do does did have has had can could will
  would should yeah yes okay ok right well like please`);
/** Small words that nobody says twice on purpose. */
export const STUTTERED =
  words(`what who when where which why how i we he she they the a an my your his our their and but if to of for from with at by as
  this there because`);
export const CONTRACTED = /^(?:i|you|he|she|it|we|they|that|there|what|who|let)'|n't$/u;
export const ORDERS = words('scratch strike');
export const AFTERTHOUGHTS = words('rather instead');
export const NEGATIONS = words('not never nobody nothing nowhere neither nor none cannot without');
export const DOUBTS = words(
  'maybe perhaps probably possibly might seems guess suppose roughly approximately apparently',
);
