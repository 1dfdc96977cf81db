import assert from 'node:assert/strict';
import test from 'node:test';
import { normaliseHint } from './hint.ts';

test('hints are accepted in common spellings and ignored when they name no language', () => {
  for (const hint of ['en', 'EN', ' en ', 'en-US', 'en_GB']) assert.equal(normaliseHint(hint), 'en');
  assert.equal(normaliseHint('iw'), 'he');
  assert.equal(normaliseHint('zh-CN'), 'zh');
  for (const hint of ['zh-TW', 'zh_hk', 'zh-Hant', 'zh-Hant-TW']) assert.equal(normaliseHint(hint), 'zh-Hant');
  for (const hint of [undefined, '', 'xx', 'english', 'e', '--', '日本']) assert.equal(normaliseHint(hint), null);
});
