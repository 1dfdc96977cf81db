// English number words with their values.

const valued = (list: string, first: number, step: number): [string, number][] =>
  list.split(' ').map((word, n) => [word, first + n * step]);

/** Zero to nineteen. */
export const ONES: ReadonlyMap<string, number> = new Map(
  valued(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    0,
    1,
  ),
);

export const TENS: ReadonlyMap<string, number> = new Map(
  valued('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
);

/** Words that multiply; "hundred" is read separately. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...valued(
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth',
    1,
    1,
  ),
  ...valued('twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth', 20, 10),
  ['hundredth', 100],
  ['thousandth', 1000],
  ['millionth', 1e6],
]);

export const DECADES: ReadonlyMap<string, number> = new Map(
  valued('twenties thirties forties fifties sixties seventies eighties nineties', 20, 10),
);

/** "double five", "triple zero": how many times the next digit counts. */
export const REPEATED_DIGITS: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
]);

const joinedWith = (ones: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map(
    [...TENS].flatMap(([ten, value]) =>
      [...ones]
        .filter(([, one]) => one > 0 && one < 10)
        .map(([word, one]): [string, number] => [`${ten}-${word}`, value + one]),
    ),
  );

/** "twenty-five" */
export const HYPHENATED: ReadonlyMap<string, number> = joinedWith(ONES);
/** "twenty-first" */
export const HYPHENATED_ORDINALS: ReadonlyMap<string, number> = joinedWith(ORDINALS);
