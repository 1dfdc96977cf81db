// English word lists of the tagger: what makes a window suspect, what a cut may contain, and where it begins and ends.
import { phraseSet, words } from '../words.ts';

// What makes a window suspect.

export const CUES =
  words(`no nope nah sorry wait mean meant rather scratch strike oops whoops correction pardon excuse apologies
  rephrase instead specifically precisely mistake doh actually bad nevermind tell or`);
export const CUE_PAIRS = phraseSet(
  'hold on, hang on, make that, make it, never mind, forget that, take that, start over, let me, should be, should say',
);
export const HESITATIONS = words('um umm uh uhh uhm er err erm hmm hm mm ah eh em ugh ummm oh');
/** A word or its marks that show that the speaker broke off. */
export const BROKEN_OFF = /[-–—]$|\.\.\.|…/u;
export const QUESTION_STARTS = words('what who when where which why how whose');
/** Words that often recur nearby in fluent sentences. */
export const FREQUENT = words('the a an of to and in on for is that or');
/** A sentence that starts with one of these may correct the one before. */
export const CORRECTION_STARTS = words('no nope sorry wait actually or oops rather scratch strike oh i make');

// What a cut may contain.

/** Sounds that do not count as words of a cut. */
export const FILLERS = words('um umm ummm uh uhh uhm uhmm er err errr erm hmm hm mm ah ahh eh em ehm ugh');
/** Fillers that the rules always remove. */
export const PLAIN_FILLERS = words('um uh er erm');
/** Words that retract the words before them. */
export const RETRACTIONS =
  words(`no nope nah wait sorry mean meant rather scratch strike actually make correction oops whoops pardon
  excuse bad mistake forget never nevermind hold hang apologies rephrase doh specifically precisely`);
/** Phrases that retract. */
export const RETRACTING_PHRASE =
  / (?:should (?:be|say)|let me (?:say|ask|start)|tell me|better yet|not that|or (?:like|better|more|let|tell|i guess|i think)) /u;
/** Sounds and words that may be a cue when a word is replaced by another of its kind. */
export const WEAK_CUES = words('oh ugh uh um er erm umm ummm uhh err hmm well like');
export const QUESTION_WORDS = new Set([...QUESTION_STARTS, 'whom']);
/** Words that start a question. */
export const QUESTION_OPENERS = new Set([...QUESTION_WORDS, ...words('in at on during give tell were')]);
/** Before one of these words, the speaker continues rather than corrects. */
export const FUNCTION_WORDS =
  words(`i you he she it we they me him her us them my your his its our their this that these those there here the a an
  and but or so because if then to of in on at by for from with as is are was were be am do does did have has had can could will
  would should yeah yes okay ok right well like please`);
export const ARTICLES = words('the a an');
/** Question words that also start a relative clause. */
export const RELATIVES = words('who which whose whom');
/** Words before "no" that make it a determiner: "there was no census". */
export const BEFORE_ARTICLE_NO =
  words(`am is are was were be been being has have had having there that which who with of in to by for from at on under make makes
  made give gives gave take takes took show shows see got get leave left need needs say says`);
/** Function words. */
export const NEVER_REPEATED_ON_PURPOSE =
  words(`what who when where which why how i we he she they the a an my your his our their and but if to of for from with at by as
  this there because`);
export const CONTRACTION = /^(?:i|you|he|she|it|we|they|that|there|what|who|let)'|n't$/u;
export const DELETE_ORDERS = words('scratch strike');
/** Cues that may be repeated at the end: "tests, no sorry, primes rather". */
export const AFTERTHOUGHTS = words('rather instead');
export const NEGATIONS = words('not never nobody nothing nowhere neither nor none cannot without');
export const DOUBTS = words(
  'maybe perhaps probably possibly might seems guess suppose roughly approximately apparently',
);
/** Digits that are more often other words. */
export const AMBIGUOUS_DIGITS = words('one oh o');

// Where a cut starts and ends.

/** Groups whose members replace one another. */
export const ALTERNATIVES = [
  words('monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight yesterday'),
  words('january february march april may june july august september october november december'),
  words('morning afternoon evening noon midnight'),
];
export const AUXILIARIES = words('am is are was were will would can could should have has had do does did');
/** Words before which the comma that closes a correction stays. */
export const CLAUSE_JOINTS = words('and but or so then which because');
