import assert from 'node:assert/strict';
import test from 'node:test';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens } from './token-count.ts';

test('token counts match the reference', async () => {
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

test('tokens of text without spaces are counted to within one percent', async () => {
  const text = '今天天气很好我们去公园散步吧'.repeat(100);
  const exact = reference(text);
  assert.ok(Math.abs((await countTokens(text)) - exact) <= exact / 100 + 1);
});
