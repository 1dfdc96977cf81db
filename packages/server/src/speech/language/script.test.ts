import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '@faircopy/contract';
import { isInScriptOf } from './script.ts';

test('a text is in the script of its language, or not', () => {
  assert.ok(isInScriptOf('உன்னைக் காலம் போது', 'ta'));
  assert.ok(!isInScriptOf('Unne kaalam bhodinide', 'ml'));
  assert.ok(!isInScriptOf('उन्ने कालं', 'te'));
  assert.ok(isInScriptOf('Ali razumete?', 'sl'));
  assert.ok(!isInScriptOf('Али разумете?', 'sl'));
  assert.ok(isInScriptOf('Ali razumete?', 'sr') && isInScriptOf('Али разумете?', 'sr'));
  assert.ok(isInScriptOf('これは漢字とカタカナです', 'ja') && isInScriptOf('这是中文', 'zh'));
  assert.ok(isInScriptOf('Aloha kakahiaka', 'haw') && isInScriptOf('Sugeng enjing', 'jw'));
});

test('names in another script, and texts without letters, are accepted', () => {
  assert.ok(isInScriptOf('Я работаю в компании IBM', 'ru'));
  assert.ok(isInScriptOf('1, 2, 3', 'ta') && isInScriptOf('', 'ta'));
});

test('the script of every language is known', () => {
  for (const language of LANGUAGES) assert.ok(isInScriptOf('', language), language);
});
