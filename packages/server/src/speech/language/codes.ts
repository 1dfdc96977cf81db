// Language codes: Whisper's own against ISO 639-1, which is what callers see.

/** Whisper's code for Javanese is an old one. */
const TO_ISO: Readonly<Record<string, string>> = { jw: 'jv' };
const FROM_ISO: Readonly<Record<string, string>> = { jv: 'jw', nb: 'no', iw: 'he', in: 'id', ji: 'yi' };

/** ISO 639-1 of a Whisper language; null when it has none (Hawaiian). */
export const isoOf = (whisperCode: string): string | null => {
  const code = TO_ISO[whisperCode] ?? whisperCode;
  return code.length === 2 ? code : null;
};

/** Whisper's code for a language tag (`de`, `pt-BR`, `zh-Hant`); null when it knows no such language. */
export const whisperCodeOf = (tag: string, known: ReadonlyMap<string, number>): string | null => {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  const code = FROM_ISO[primary] ?? primary;
  return known.has(code) ? code : null;
};
