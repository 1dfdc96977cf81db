import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentLanguages } from './recent-languages.ts';

const heard = (recent: RecentLanguages, accountId: string, ...languages: string[]) => {
  for (const language of languages) recent.learn(accountId, language);
};

test('an account gets the language shares of its own recent recordings once there are enough', () => {
  const recent = new RecentLanguages();
  heard(recent, 'a', 'sv', 'sv');
  assert.deepEqual(recent.of('a'), []);
  heard(recent, 'a', 'nl', 'sv');
  assert.deepEqual(recent.of('a'), [
    { language: 'sv', probability: 0.75 },
    { language: 'nl', probability: 0.25 },
  ]);
  assert.deepEqual(recent.of('b'), []);
});

test('old recordings are forgotten', () => {
  const recent = new RecentLanguages();
  heard(recent, 'a', ...Array.from({ length: 20 }, () => 'et'), ...Array.from({ length: 20 }, () => 'fi'));
  assert.deepEqual(recent.of('a'), [{ language: 'fi', probability: 1 }]);
});

test('the least recently used accounts are forgotten first', () => {
  const recent = new RecentLanguages();
  heard(recent, 'first', 'sl', 'sl', 'sl');
  heard(recent, 'second', 'sl', 'sl', 'sl');
  for (let nth = 0; nth < 9_998; nth++) recent.learn(`other ${nth}`, 'en');
  recent.learn('first', 'sl');
  recent.learn('one more', 'en');
  assert.equal(recent.of('first').length, 1);
  assert.equal(recent.of('second').length, 0);
});
