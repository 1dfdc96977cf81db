import assert from 'node:assert/strict';
import test from 'node:test';
import { continuationOf, keepBeginning, stableEnd } from './stable-prefix.ts';

const stable = (earlier: string, later: string): string => later.slice(0, stableEnd(earlier, later));

test('text is stable up to the last sentence that two versions share', () => {
  assert.equal(stable('One. Two. Three', 'One. Two. Three is here.'), 'One. Two.');
  assert.equal(stable('One. Two.', 'One.\n\nTwo. Three.'), 'One.\n\nTwo.');
  assert.equal(stable('今天。明天', '今天。后天'), '今天。');
  assert.equal(stable('', 'One. Two.'), '');
  assert.equal(stable('One.', 'One.5 metres.'), '');
});

test('without sentence ends, all but the last words are stable', () => {
  const words = Array.from({ length: 30 }, (_, index) => `w${index}`);
  assert.equal(
    stable(words.join(' '), `${words.join(' ')} more`)
      .split(' ')
      .at(-1),
    'w17',
  );
});

test('a continuation starts where the beginning ended, and is null when the beginning differs', () => {
  assert.equal(continuationOf('', 'One.'), 'One.');
  assert.equal(continuationOf('One. Two.', 'One.\n\nTwo. Three.'), ' Three.');
  assert.equal(continuationOf('One.', 'One. '), ' ');
  assert.equal(continuationOf('One two', 'One three'), null);
  assert.equal(continuationOf('One two', 'One twofold'), null);
  assert.equal(continuationOf('One two', 'One'), null);
});

test('a beginning is kept even if the text differs there', () => {
  assert.equal(keepBeginning('One two.', 'One two. Three.'), 'One two. Three.');
  assert.equal(
    keepBeginning('We go on Tuesday. Then', 'We go Tuesday. Then we rest.'),
    'We go on Tuesday. Then we rest.',
  );
  assert.equal(
    keepBeginning('First one thing. Second', '1. One thing\n2. Second matter'),
    'First one thing. Second matter',
  );
  assert.equal(keepBeginning('One two three', 'One two'), 'One two three');
});
