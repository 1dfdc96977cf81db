import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LanguageOfLines } from './language-of-lines.ts';

test('a line too short to decide gets the most common language of the lines before it', () => {
  const languages = new LanguageOfLines();
  assert.equal(languages.of('zwölf'), null);
  assert.equal(languages.of('das ist nicht die Uhr und wir haben es auch'), 'de');
  assert.equal(languages.of('zwölf'), 'de');
  assert.equal(languages.of('the dog and the cat are here with you'), 'en');
  assert.equal(languages.of('twelve'), 'de');
});
