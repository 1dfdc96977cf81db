import assert from 'node:assert/strict';
import test from 'node:test';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens } from './token-count.ts';

test('tokens are those of the reference', async () => {
  const texts = [
    '',
    'Please move the meeting to 3 p.m.',
    'Größe, Übermut!\n\nNeuer Absatz.',
    '今天天气很好，我们去公园散步吧。',
    '<|endoftext|>',
  ];
  for (const text of texts.slice(0, 4)) assert.equal(await countTokens(text), reference(text));
  assert.ok((await countTokens(texts[4]!)) > 1, 'spoken text is never a special token');
});

test('a writing without spaces is counted within a hundredth', async () => {
  const text = '今天天气很好我们去公园散步吧'.repeat(100);
  const exact = reference(text);
  assert.ok(Math.abs((await countTokens(text)) - exact) <= exact / 100 + 1);
});
