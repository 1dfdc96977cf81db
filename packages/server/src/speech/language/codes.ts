// Maps language codes: models use Whisper's codes, callers see ISO 639-1.

/** Whisper uses an old code for Javanese. */
const TO_ISO: Readonly<Record<string, string>> = { jw: 'jv' };
const FROM_ISO: Readonly<Record<string, string>> = { jv: 'jw', nb: 'no', iw: 'he', in: 'id', ji: 'yi' };

/** ISO 639-1 of a model's code; null when there is none (Hawaiian). */
export const isoOf = (modelCode: string): string | null => {
  const code = TO_ISO[modelCode] ?? modelCode;
  return code.length === 2 ? code : null;
};

/** A model's code for a language tag (`de`, `pt-BR`, `zh-Hant`); null when the model does not support it. */
export const modelCodeOf = (tag: string, known: ReadonlySet<string>): string | null => {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  const code = FROM_ISO[primary] ?? primary;
  return known.has(code) ? code : null;
};
