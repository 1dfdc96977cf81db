import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitOverruling, fitRules, isRight, ScoredText } from './fit-rules.ts';

/** "we met a lady there", where `term` was scored as a replacement for "a lady" or "there". */
const scored = (...alternatives: { term: string; from: number; to: number; alikeness: number; lead: number }[]) =>
  new ScoredText(
    {
      words: 'we met a lady there'.split(' '),
      crowding: 0,
      alternatives: alternatives.map((each) => ({ ...each, term: { text: each.term }, margin: 20, headroom: 10 })),
    },
    'then we met liddy there again',
  );
const LIDDY = { term: 'Liddy', from: 2, to: 4, alikeness: 0.9 };
const THEIR = { term: 'Their', from: 4, to: 5, alikeness: 0.9 };

test('errors are counted within the reference, and terms are judged by what is said', () => {
  const text = scored({ ...LIDDY, lead: -6 }, { ...THEIR, lead: -7 });
  const cost = (least: number) => text.costOf(text.accepted({ alikeMin: 0.7, sameSound: least, perTenth: 0 }));
  // "a lady" is two errors; "Their" is one, and was not said.
  assert.deepEqual([cost(5), cost(6), cost(7)], [2, 0, 2]);
  const { right, wrong } = text.judged();
  assert.deepEqual([right.map(({ term }) => term.text), wrong.map(({ term }) => term.text)], [['Liddy'], ['Their']]);
});

test('fitted rules accept only right terms, with a margin on both sides', () => {
  const texts = [scored({ ...LIDDY, lead: -6 }), scored({ ...THEIR, lead: -12 })];
  const rules = fitRules(texts);
  assert.deepEqual(
    texts.map((text) => text.accepted(rules).map(({ term }) => term.text)),
    [['Liddy'], []],
  );
  const margin = rules.sameSound - rules.perTenth;
  assert.ok(margin > 7 && margin < 11, `${margin}`);
});

test('of overlapping terms, the likelier one is accepted', () => {
  const text = scored({ ...LIDDY, lead: -6 }, { ...LIDDY, term: 'Lydia', lead: -5 });
  const accepted = text.accepted({ alikeMin: 0.7, sameSound: 10, perTenth: 0 });
  assert.deepEqual(
    accepted.map(({ term }) => term.text),
    ['Lydia'],
  );
});

test('words overrule wrong terms but not right ones', () => {
  assert.ok(isRight({ own: 'Liddy,' }, 'we met liddy'));
  assert.ok(!isRight({ own: 'Lydia' }, 'we met liddy'));
  const least = fitOverruling([
    { lead: 0.1, isRight: true },
    { lead: 0.5, isRight: false },
  ]);
  assert.ok(least > 0.15 && least < 0.45, `${least}`);
});
