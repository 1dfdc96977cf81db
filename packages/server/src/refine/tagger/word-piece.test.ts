// Tests the split into WordPieces.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WordPiece } from './word-piece.ts';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ',', '.', '?', '!', ';', ':', '…', '-'];
const pieces = new WordPiece([...SPECIAL, 'play', '##ing', 'no', "it's", 'e', '##é']);

it('splits words, marks and apostrophes as in training', () => {
  assert.deepEqual(pieces.encode(['Playing,', 'no...', 'It’s', '—', 'zebra']), {
    ids: [2, 13, 14, 5, 15, 11, 16, 12, 1, 3],
    places: [1, 4, 6, -1, 8],
  });
});
