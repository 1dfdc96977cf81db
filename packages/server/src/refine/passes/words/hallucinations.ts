// Sentences that recognisers are known to hallucinate in silence.

/** Subtitle credits. No speaker says these. */
export const CREDITS = [
  /amara\.?\s?org/u,
  /^(?:subtitles?|captions?|transcri(?:bed|ption)|translated) (?:by|provided by)\b/u,
  /^subtitling by\b/u,
  /^untertitel(?:ung)?\b.*\b(?:zdf|ard|ndr|wdr|swr|br|funk|community|20\d\d)\b/u,
  /^untertitelung des zdf/u,
  /^sous-titr(?:es|age)\b.*\b(?:st'|communauté|société|radio-canada|amara)/u,
  /^sous-titrage st/u,
  /^subtítulos\b.*\b(?:comunidad|por)\b/u,
  /^sottotitoli\b.*\b(?:comunità|revisione|qtss|a cura)\b/u,
  /^legendas?\b.*\b(?:comunidade|pela|por)\b/u,
  /^ondertitel(?:s|ing)\b.*\b(?:gemeenschap|ingediend|nos|npo|tv gelderland)\b/u,
  /^субтитры (?:сделал|создавал|подогнал|делал)/u,
  /^редактор субтитров/u,
  /^napisy (?:stworzone|wykonane)/u,
  /^altyazı m\.?k/u,
  /^字幕/u,
  /明镜与点点栏目/u,
  /^www\.\S+$/u,
];

/** Video farewells. A speaker may say these, so they are removed only at the end of the text. */
export const FAREWELLS = [
  /^(?:thanks|thank you)(?: so much| very much)? for watching(?: (?:this|the|my) video)?(?: and (?:i'll )?see you (?:next time|in the next (?:video|one)))?$/u,
  /^(?:please |don't forget to )?(?:like(?: and|,)? )?subscribe(?: to (?:my|our|the) channel)?$/u,
  /^please (?:like|subscribe|like and subscribe|subscribe to my channel)\b.*channel$/u,
  /^(?:i'll )?see you in the next video$/u,
  /^vielen dank fürs zuschauen$/u,
  /^(?:danke|vielen dank) für(?:s| das| ihr| euer) zu(?:schauen|sehen)$/u,
  /^gracias por ver(?: el| este)? v[ií]deo$/u,
  /^merci d'avoir regardé(?: cette vidéo)?$/u,
  /^grazie per (?:la visione|aver guardato(?: il video)?)$/u,
  /^obrigad[oa] por assistir$/u,
  /^bedankt voor het kijken$/u,
  /^ご視聴ありがとうございました$/u,
  /^시청해\s?주셔서 감사합니다$/u,
  /^谢谢(?:大家)?(?:观看|收看)$/u,
  /^(?:請|请)不吝/u,
  /^продолжение следует$/u,
  /^спасибо за просмотр$/u,
  /^izlediğiniz için teşekkür ederim$/u,
];

/** A fast pre-check: every sentence that matches a pattern above matches this one too. */
export const SUSPECT =
  /amara|subti|caption|transcri|translat|untertitel|sous-titr|subtítulo|sottotitol|legenda|ondertitel|субтитр|napisy|altyazı|字幕|明镜|www\.|watch|subscrib|next video|zuschau|zuseh|por ver|regardé|visione|guardato|assistir|kijken|視聴|시청|观看|收看|不吝|следует|просмотр|izledi/iu;
