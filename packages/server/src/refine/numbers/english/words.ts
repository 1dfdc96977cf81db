// Word lists of the English number rules: the words around a number that decide how it is written.
import { phraseSet, words } from '../../words.ts';

export const POSSESSIVES = words('my your his her their');

// Amounts.

export const CURRENCY_SIGNS: ReadonlyMap<string, string> = new Map([
  ['dollar', '$'],
  ['dollars', '$'],
  ['euro', '€'],
  ['euros', '€'],
]);
export const CENTS = words('cent cents');
export const PENCE = words('pence p');
/** After "five pounds twenty", these words make it a weight or a count. */
export const NOT_PENCE_BEFORE = words('ounces pounds people of');
/** "half a million dollars" */
export const FRACTIONS_BEFORE = words('half quarter');

export const UNITS =
  words(`kilometers kilometres kilometer kilometre km miles mile meters metres meter metre centimeters centimetres millimeters millimetres
  feet foot inches inch yards pounds kilos kilo kilograms kilogram grams gram milligrams milligram micrograms liters litres liter milliliters
  millilitres gallons ounces ounce tons tonnes degrees celsius fahrenheit megabytes gigabytes terabytes kilobytes megabits gigabits
  megahertz gigahertz hertz volts watts kilowatts amps milliseconds mph rpm psi mg ml kg cm mm gb mb tb tablespoons tablespoon teaspoons teaspoon cups`);
/** Prefixes of units that are not idiomatic after "one", unlike "one foot in the door". */
export const UNITS_AFTER_ONE =
  /^(?:milligram|gram|kilogram|tablespoon|teaspoon|liter|kilometer|mile|inch|ounce|degree)/u;
/** "the whole nine yards" */
export const IDIOMS_BEFORE_UNIT = words('whole extra every');

// Dates.

/** Months that are also other words. */
export const WORDY_MONTHS = words('may march');
export const BEFORE_DATE = words('on of since until by from before after to for');
/** "may five people": the number is a count. */
export const COUNTED_AFTER_MONTH = words('people percent dollars times of');
export const BEFORE_YEAR =
  words(`in since year by of until till before after from during through to between early late mid spring summer fall autumn
  winter circa around about january february march april may june july august september october november december and`);
/** Words that a number between 1100 and 2099 may count. */
export const COUNTED_NOT_DATED = words(
  'people dollars percent minutes hours days miles times pages words of men women years kids items meters units',
);
export const NOT_AFTER_YEAR = words('p a pm am p.m. a.m. dollar dollars cent cents percent euro euros');
/** "in fifteen hundred" is a year, "to fifteen hundred" is a count. */
export const BEFORE_ROUND_YEAR = words('in since year circa of around');
export const BEFORE_YEAR_2000 = words('in since year by of until before after during from spring summer fall winter');

// Labels and codes.

export const LABELS =
  words(`page pages chapter room step flight gate route highway interstate bus apartment apt suite unit version section figure table
  question level line platform channel episode season volume extension bug issue ticket exit lane platform building floor item option
  phase round appendix article exercise lesson week day act scene verse track port zone district ward bed invoice order case size grade
  type model build release revision enter dial press pin code zip number account passcode password id extension area`);
/** Labels after which a single small number is just as likely to be prose. */
export const PROSE_LABELS = words(
  'week day number floor type case press line round order size question bed account unit item lane exit building model enter dial code pin id password area',
);
/** "my extension is four two" */
export const LABELS_BEFORE_IS = words('extension pin code room gate flight passcode id');
/** "apartment four b" */
export const LETTERED_LABELS = words('apartment apt unit suite gate room seat row building flat');
/** "page one or two" */
export const ALTERNATIVE_JOINTS = words('or and to');
export const ALTERNATIVE_NEXT = words('two three more');
/** Words that turn "one two three" from counting into a code. */
export const CODE_CONTEXT =
  words(`number pin code call phone extension zip room account is at on cell mobile fax ssn serial digits are passcode password
  id ending dial enter press tracking flight reference confirmation order text reach`);
/** After a run of digits, these words make the last digit part of another number. */
export const EXTENDS_LAST_DIGIT = words('hundred thousand million percent point third thirds halves quarter quarters');
/** "version two dot zero" */
export const VERSIONED = words('version release python java node http ios android v');

// Times of day.

export const TIME_PREPOSITIONS = words(
  'at by until till from to before after around about between and for approximately past',
);
/** Prepositions that make "ten thirty" a time without "p.m.". */
export const SURE_TIME_PREPOSITIONS = words('at by until till before after around');
export const NOT_A_TIME =
  words(`people percent dollars minutes hours days weeks months years miles kilometers meters degrees feet inches pounds times
  cents bucks euros grams kilos pages words items points seconds main street avenue`);
export const AFTER_TIME = words('today tomorrow tonight on in this');
export const BEFORE_DATED_TIME = words(
  'from to is starts meeting day tomorrow today monday tuesday wednesday thursday friday saturday sunday',
);
/** "bake at four fifty" is a temperature. */
export const OVEN_WORDS = words('bake baked cook roast oven');
/** "at ten to five": a time in words. */
export const CLOCK_JOINTS = words('to past of');
export const BEFORE_CLOCK = words("at it's by around is until about");

// Plain numbers.

export const RANGE_JOINTS = words('to or and through by');
export const COUNTED_IN_RANGE = words(
  `minute minutes hour hours day days week weeks month months year years people times percent dollars miles pages items
  business units points seconds words`,
);
export const RANGE_BEFORE = words('between from');
export const IDIOMS: ReadonlyMap<string, string> = new Map([
  ['twenty four seven', '24/7'],
  ['fifty fifty', '50/50'],
]);
export const SPELLED_IDIOMS = phraseSet('forty winks, twenty questions, ten commandments, ten four, eleven eleven');
/** "a twenty second clip" */
export const DURATION_NOUNS = words(
  'timer clip video break ad delay rule window pause spot interval increments countdown timeout recording',
);
export const BEFORE_DURATION = words('a every each this one per');
/** "two tenths" */
export const FRACTION_COUNTS = words('one two three four five six seven eight nine a an');
export const FRACTION_ORDINALS = words('hundredth thousandth');
/** "twenty thirty dollars" stays in words. */
export const UNITS_AFTER_ROW = words(
  `dollar dollars cent cents percent euro euros minute hour day year week month page foot mile pound inch second point`,
);
/** "dollar twenty" */
export const COLLOQUIAL_MONEY = words('dollar buck bucks');
