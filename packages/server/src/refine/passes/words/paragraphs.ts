// Words that often start a new topic.
import { wordsOfAll } from '../../words.ts';

export const TOPIC_STARTS = wordsOfAll({
  en: 'so now anyway okay next finally also another moving secondly thirdly lastly meanwhile alright right besides however',
  de: 'nun also jetzt außerdem schließlich übrigens',
  es: 'bueno ahora además finalmente',
  fr: 'alors maintenant ensuite enfin',
  it: 'allora adesso inoltre infine',
  pt: 'agora então além',
  nl: 'nu verder dus tenslotte',
});
