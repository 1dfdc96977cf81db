// Hallucinations: text that models write where nothing was said.

/** Letters and digits alone, without case and marks. */
const bare = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Written over silence, music and noise, because training subtitles end with them or describe sounds. */
const STOCK_PHRASES = new Set(
  [
    'you',
    'thank you',
    'thank you very much',
    'thank you so much',
    'thanks for watching',
    'thank you for watching',
    'thanks for listening',
    'please subscribe',
    'bye',
    'bye bye',
    'the end',
    'so',
    'oh',
    'okay',
    'music',
    'applause',
    'laughter',
    'musik',
    'musique',
    'música',
    'applaus',
    'applaudissements',
    'aplausos',
    'музыка',
    'играет музыка',
    'спокойная музыка',
    'тревожная музыка',
    'динамичная музыка',
    'аплодисменты',
    'смех',
    'untertitel der amara org community',
    'untertitel im auftrag des zdf fur funk 2017',
    'vielen dank',
    'sous titres realises par la communaute d amara org',
    'merci',
    'merci d avoir regarde cette video',
    'gracias',
    'gracias por ver el video',
    'subtitulos realizados por la comunidad de amara org',
    'sottotitoli creati dalla comunita amara org',
    'grazie',
    'obrigado',
    'legendas pela comunidade amara org',
    'продолжение следует',
    'спасибо за просмотр',
    'субтитры сделал dimatorzok',
    'ご視聴ありがとうございました',
    '字幕由amara org社区提供',
    '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
    '시청해주셔서 감사합니다',
  ].map(bare),
);

const NO_SPEECH_CERTAIN = 0.6;
const NO_SPEECH_LIKELY = 0.25;
const CONFIDENT = -0.35;
const DOUBTFUL = -0.8;

interface Evidence {
  readonly text: string;
  readonly averageLogProbability: number;
  readonly noSpeechProbability: number;
}

/** Whether the text is better not shown, given how little speaks for it. */
export const isHallucination = ({ text, averageLogProbability, noSpeechProbability }: Evidence): boolean => {
  const words = bare(text);
  if (words === '') return true;
  if (noSpeechProbability > NO_SPEECH_CERTAIN && averageLogProbability < DOUBTFUL) return true;
  // Sounds in brackets or between notes ("[Music]", "♪ … ♪") are descriptions, not speech.
  if (/^[[(♪*].*[\])♪*]$/s.test(text.trim())) return true;
  return STOCK_PHRASES.has(words) && (noSpeechProbability > NO_SPEECH_LIKELY || averageLogProbability < CONFIDENT);
};
