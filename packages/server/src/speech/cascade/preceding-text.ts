// The text right before a window, for models that continue it.
import { isoOf } from '../language/codes.ts';
import type { SpeechWindow } from '../recogniser.ts';

/** Empty if that text is in another language. `language` is the model's code. */
export const precedingTextIn = (language: string, { precedingText }: SpeechWindow): string =>
  precedingText?.language === isoOf(language) ? precedingText.text : '';
