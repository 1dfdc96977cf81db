// Tests profanity masking in every language, including harmless words that must stay.
import assert from 'node:assert/strict';
import test from 'node:test';
import { refineText } from '../../chain.ts';
import { redactRaw } from '../redact-chain.ts';

const masked = (text: string, language: string | null): string =>
  redactRaw({
    pieces: [{ text, startMs: 0, endMs: 1_000, language, confidence: 1 }],
    language,
    vocabulary: [],
    redaction: { kinds: ['profanity'], before: '', isOpenEnd: false, salt: 'salt', known: [] },
  }).text;

const PROFANE: Readonly<Record<string, readonly [said: string, shown: string]>> = {
  en: ["What the fuck, that bullshit's over.", 'What the ****, that **** over.'],
  de: ['So eine Scheiße, verpiss dich!', 'So eine ****, **** ****!'],
  es: ['Qué mierda, no me jodas, cabrón.', 'Qué ****, no me ****, ****.'],
  fr: ["Putain, l'enculé est parti.", '****, **** est parti.'],
  it: ['Che cazzo vuoi, stronzo?', 'Che **** vuoi, ****?'],
  pt: ['Que merda, caralho.', 'Que ****, ****.'],
  nl: ['Godverdomme, wat een klootzak.', '****, wat een ****.'],
};

for (const [language, [said, shown]] of Object.entries(PROFANE))
  test(`profanity is masked in ${language}, and the punctuation around it stays`, () => {
    assert.equal(masked(said, language), shown);
    assert.equal(
      masked(said.toUpperCase(), language),
      masked(said.toUpperCase(), `${language}-XX`),
      'regions do not matter',
    );
    assert.equal(masked(said, 'ja'), said, 'a language without a list is left alone');
  });

/** Harmless words: words that contain a profane one, names, and words that are profane only in another language. */
const TRAPS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Scunthorpe, Essex, Sussex and Penistone are places.',
    'Assess the classic cocktail, Dick, and pass the grass.',
    "Fick's law, a bite to eat, and a con man in Putney.",
    'The Shiite cleric met Mr. Hancock; the therapist wore a cockade.',
  ],
  de: [
    'Adolf Fick war Physiologe, und das Ficksche Gesetz ist dick.',
    'Die Kunst, ein Con zu besuchen; Schwanz und Hahn.',
  ],
  es: ['Voy con mi hermano, me pica la polla de agua.', 'El disputado cabrito del computador; la Pajero roja.'],
  fr: ['La chatte a une longue queue; concours de Concarneau.', 'La députée est réputée; il bâtit à Putanges.'],
  it: ['Con la scopa si va a Troia, e le palle sono rosse.', 'Il computer calcola la disputa dei circuiti.'],
  pt: ['Ele fica com o pau na mão, o puto é esperto.', 'O computador do cunhado e a escuta; a fiche.'],
  nl: [
    'Kun je dat, of kunt u dat? De eikel valt van de eik.',
    'De hoeraroep en de lulla-bye zijn kunst; kanker is een ziekte.',
  ],
};

for (const [language, sentences] of Object.entries(TRAPS))
  test(`harmless words stay in ${language}`, () => {
    for (const sentence of sentences) assert.equal(masked(sentence, language), sentence);
  });

test('each window uses the list of its own language', () => {
  const piece = (text: string, language: string) => ({ text, startMs: 0, endMs: 1_000, language, confidence: 1 });
  const { text } = redactRaw({
    pieces: [piece('Voy con Ana.', 'es'), piece('Quel con !', 'fr'), piece('Das Scheiß Con.', 'de')],
    language: 'es',
    vocabulary: [],
    redaction: { kinds: ['profanity'], before: '', isOpenEnd: false, salt: 'salt', known: [] },
  });
  assert.equal(text, 'Voy con Ana. Quel ****! Das **** Con.');
});

test('profanity is not masked by default', () => {
  assert.match(refineText('what the fuck', 'en').text, /fuck/iu);
});
