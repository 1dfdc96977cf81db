// Parses the caller's language hint into a language code. A hint biases detection but never forces a language.

/** All ISO 639-1 codes; each model knows which ones it supports. */
const ISO_639_1 = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en ' +
    'eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ' +
    'ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ' +
    'ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st ' +
    'su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
);

/** Withdrawn codes, and codes that are often confused. */
const ALIASES: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', mo: 'ro', sh: 'sr' };

/** Regions that write traditional Chinese. */
const TRADITIONAL_CHINESE = /^zh[-_](hant|tw|hk|mo)\b/;

/**
 * The hint as a code, or null when it is unknown: `EN`, `en-US` and `pt_BR` are understood. The region only matters for
 * Chinese, where it selects the script.
 */
export const normaliseHint = (hint: string | undefined): string | null => {
  const tag = hint?.trim().toLowerCase() ?? '';
  if (TRADITIONAL_CHINESE.test(tag)) return 'zh-Hant';
  const code = tag.split(/[-_]/)[0] ?? '';
  const known = ALIASES[code] ?? code;
  return ISO_639_1.has(known) ? known : null;
};
