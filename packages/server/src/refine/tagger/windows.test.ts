// Tests how text is split into windows for the tagger, and which windows are suspect.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Token, tokenise } from '../token.ts';
import { isSuspect } from './is-suspect.ts';
import { windowsOf } from './windows.ts';

const piece = (text: string, startMs: number, endMs: number) => ({
  text,
  startMs,
  endMs,
  language: 'en',
  confidence: 1,
});
const said = (windows: ReturnType<typeof windowsOf>, tokens: readonly Token[]) =>
  windows.map(({ start, end }) =>
    tokens
      .slice(start, end)
      .map(({ core }) => core)
      .join(' '),
  );

it('a long pause separates windows', () => {
  const { tokens } = tokenise([piece('my name is anna', 0, 1000), piece('no that is me', 4000, 5000)], 'en');
  assert.deepEqual(said(windowsOf(tokens), tokens), ['my name is anna', 'no that is me']);
});

it('a window is one sentence, joined with a sentence that corrects it', () => {
  const { tokens } = tokenise([piece('We meet. Call him on Monday. No, Tuesday.', 0, 1000)], 'en');
  assert.deepEqual(said(windowsOf(tokens), tokens), ['We meet', 'Call him on Monday No Tuesday']);
});

it('every word of a long text belongs to exactly one window', () => {
  const { tokens } = tokenise([piece(Array.from({ length: 300 }, (_, n) => `w${n}`).join(' '), 0, 1000)], 'en');
  const counted = windowsOf(tokens).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n));
  assert.deepEqual(
    counted,
    Array.from({ length: 300 }, (_, n) => n),
  );
});

it('only a window that may be disfluent is suspect', () => {
  const suspect = (text: string) => {
    const { tokens } = tokenise([piece(text, 0, 1000)], 'en');
    return isSuspect(tokens, 0, tokens.length);
  };
  assert.equal(suspect('We will send the invoice by Friday.'), false);
  assert.equal(suspect('When no what century was it?'), true);
  assert.equal(suspect('in a in an important place'), true);
});
