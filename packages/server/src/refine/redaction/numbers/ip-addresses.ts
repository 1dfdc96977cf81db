// Finds written and spoken IP addresses.
import { wordsOfAll } from '../../words.ts';
import { attemptsOf, type Run, splitRun } from '../runs.ts';
import { type Item, textOfItems } from '../spoken-codes.ts';
import type { Entity, SpokenText } from '../spoken-text.ts';

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/u;
const IPV6 = /^(?=.*:.*:)(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}$/iu;
const VERSION_REACH = 3;
const VERSION_WORDS = wordsOfAll({
  en: 'version versions build release firmware driver update patch section chapter paragraph clause',
  de: 'version build firmware treiber update ausgabe abschnitt kapitel',
  es: 'versión compilación controlador actualización sección apartado capítulo',
  fr: 'version pilote mise section chapitre paragraphe',
  it: 'versione driver aggiornamento sezione capitolo paragrafo',
  pt: 'versão controlador atualização secção seção capítulo',
  nl: 'versie stuurprogramma update paragraaf hoofdstuk',
});
const isOctet = (text: string): boolean => Number(text) <= 255;

/** Four numbers with dots between them. Each may be spoken digit by digit. */
const dottedFour = (run: Run): readonly (readonly Item[])[] | null => {
  const parts = splitRun(run, (_item, _last, n) => run.dotted[n]!).map(({ items }) => items);
  for (let n = 0; n + 4 <= parts.length; n++) {
    const four = parts.slice(n, n + 4);
    if (four.every((part) => isOctet(textOfItems(part)))) return four;
  }
  return null;
};

export const ipAddresses = (text: SpokenText): Entity[] => {
  const isVersion = (index: number) =>
    text.tokens.slice(Math.max(0, index - VERSION_REACH), index).some(({ key }) => VERSION_WORDS.has(key));
  const written = text.tokens.flatMap(({ core, key }, index): Entity[] => {
    const isIp = (IPV4.test(core) && core.split('.').every(isOctet)) || (IPV6.test(core) && /[a-f]|::/iu.test(core));
    return isIp && !isVersion(index) ? [{ kind: 'ip', from: index, to: index + 1, value: key }] : [];
  });
  const spoken = text.digitRuns.flatMap((run): Entity[] => {
    const found = attemptsOf(text.tokens, run).flatMap((attempt) => {
      const four = dottedFour(attempt);
      return four ? [four] : [];
    });
    const [first, last] = [found[0]?.[0]?.[0], found.at(-1)];
    if (!first || !last || isVersion(first.from)) return [];
    return [{ kind: 'ip', from: first.from, to: last[3]!.at(-1)!.to, value: last.map(textOfItems).join('.') }];
  });
  return [...written, ...spoken];
};
