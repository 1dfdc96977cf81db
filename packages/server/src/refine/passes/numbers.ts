// Numbers in written form, by the rules of the language.
import { beginsNumber } from '../numbers/english.ts';
import { ENGLISH_FORMS } from '../numbers/english-forms.ts';
import { otherLanguageForms } from '../numbers/other-language-forms.ts';
import { type Pass, rewrite } from '../rewrite.ts';

export const numbers: Pass = {
  name: 'numbers',
  run: (tokens, { language }) => {
    if (!language) return { tokens, marks: [] };
    const forms = language.code === 'en' ? ENGLISH_FORMS : otherLanguageForms(language);
    const begins = language.code === 'en' ? beginsNumber : () => true;
    return rewrite(tokens, 'numbers', (at) => {
      if (!begins(at.key(0))) return null;
      for (const form of forms) {
        const change = form(at);
        if (change) return change;
      }
      return null;
    });
  },
};
