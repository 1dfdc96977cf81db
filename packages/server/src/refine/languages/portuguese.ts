// Word lists and spoken marks of Portuguese.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const portuguese: Language = {
  code: 'pt',
  fillers: words('hum humm ahn ahm hã ãh ã éé ééé hmm hm mmm mm ehm eh uhm'),
  collapsible:
    words(`eu o os as uma e ou de do da em no na com por para que é meu minha mas quando como está estou tenho quero
    vou vamos posso se me ao nos`),
  corrections: phrases(
    `não desculpa, não desculpe, não espera, quero dizer, quer dizer, ou melhor, correção, desculpa, desculpe,
    aliás, digo, não`,
  ),
  weekdays: words(
    'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo segunda terça quarta quinta sexta',
  ),
  months: words('janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'),
  namesAreCapitalised: false,
  marks: [
    { say: 'novo parágrafo', write: 'paragraph' },
    { say: 'nova linha', write: 'line' },
    { say: 'ponto de interrogação', write: '?' },
    { say: 'ponto de exclamação', write: '!' },
    { say: 'ponto e vírgula', write: ';' },
    { say: 'dois pontos', write: ':', doubtful: true },
    { say: 'vírgula', write: ',' },
    { say: 'ponto final', write: '.', doubtful: true },
    { say: 'ponto', write: '.', doubtful: true },
  ],
  determiners:
    words(`um uma o a os as este esta esse essa cada outro outra meu minha seu sua nosso de do da em no na sem com palavra
    zero dois três quatro cinco seis sete oito nove dez primeiro último ao certo que nenhum algum até`),
  common: words(`que não de o a e é um uma para com eu do da em no na os se por mais as como mas ele ela você isso está
    bem muito obrigado obrigada sim também quando já tem foi meu minha aqui então`),
  abbreviations: words('sr sra dr dra etc p.ex. av núm'),
};
