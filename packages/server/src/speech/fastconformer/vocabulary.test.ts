import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { parseVocabulary } from './vocabulary.ts';

const parse = (tokens: readonly string[]) => parseVocabulary(tokens.map((token, id) => `${token} ${id}`).join('\n'));

test('pairs are merged in the order of the vocabulary', () => {
  const vocabulary = parse(['<unk>', 'er', '▁t', '▁th', 'th', '▁', 't', 'h', 'e', 'r', '<blk>']);
  assert.deepEqual(vocabulary.encode('ther'), [3, 1]);
  assert.deepEqual(vocabulary.encode('the  r'), [3, 8, 5, 9]);
  assert.equal(vocabulary.text(vocabulary.encode('the r')), 'the r');
});

test('byte tokens are joined into characters, control tokens are dropped', () => {
  const vocabulary = parse(['<0xC3>', '<0xBC>', '▁f', 'r', '<|nospeech|>', '<blk>']);
  assert.equal(vocabulary.text([4, 2, 0, 1, 3]), 'für');
  assert.deepEqual([0, 3, 4].map(vocabulary.isControl), [false, false, true]);
});

test('there is no space before punctuation', () => {
  const vocabulary = parse(['▁yes', '▁,', '▁', '?', '▁no', '<blk>']);
  assert.equal(vocabulary.text([0, 1, 4, 2, 3]), 'yes, no?');
});

test('an invalid vocabulary is refused', () => {
  assert.throws(() => parseVocabulary('a 0\nb 1\n'), UnknownGraph);
  assert.throws(() => parseVocabulary('a\n<blk> 1'), UnknownGraph);
  assert.throws(() => parseVocabulary('a 99999999999\n<blk> 1'), UnknownGraph);
});
