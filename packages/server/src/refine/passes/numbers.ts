// Writes numbers in digits, by the rules of the language.
import { mayStartNumber } from '../numbers/english/read-number.ts';
import { ENGLISH_RULES } from '../numbers/english/rules.ts';
import { otherLanguageRules } from '../numbers/other-languages/rules.ts';
import { type Pass, rulePass } from '../rewrite.ts';

export const numbers: Pass = rulePass('numbers', (language) => {
  const isEnglish = language.code === 'en';
  const rules = isEnglish ? ENGLISH_RULES : otherLanguageRules(language);
  return (at) => {
    if (isEnglish && !mayStartNumber(at.key(0))) return null;
    for (const rule of rules) {
      const change = rule(at);
      if (change) return change;
    }
    return null;
  };
});
