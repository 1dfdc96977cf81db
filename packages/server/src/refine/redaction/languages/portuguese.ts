import type { RedactionLanguage } from './language.ts';

export const portuguese: RedactionLanguage = {
  code: 'pt',
  card: 'cartão|cartão de crédito|cartão de débito|visa|mastercard|amex|elo',
  cvv: 'cvv|cvc|código de segurança|código de verificação|três dígitos do verso|dígitos do verso|código do verso',
  expiry: 'valid\\S*|venc\\S*|expir\\S*|válido até|data de validade',
  iban: 'iban|conta|conta bancária|número da conta|nib',
  id: 'cpf|nif|contribuinte|número de contribuinte|segurança social|identidade|cartão de cidadão|rg|c p f|n i f|niss',
  phone:
    'telefone|tel|telemóvel|celular|fixo|fax|whatsapp|zap|liga|ligue|ligar|ligue-me|liga-me|me liga|ligando|contacto|contato|contactar|contatar|(?:meu|teu|seu|nosso|o|um) número|número de telefone|número do celular|número de telemóvel|discar|chamar',
  notPersonal:
    '(?:número|código|referência) (?:de |do |da )?(?:pedido|encomenda|fatura|rastreio|rastreamento|série|ticket|voo|trem|comboio|quarto|cliente|artigo|lote|contrato|processo|reserva|erro|versão|protocolo|nota fiscal)|pedido|encomenda|fatura|versão|voo|quarto|isbn|página|habitantes|código de barras|processo|artigo|lei|referência|reserva|protocolo|erro|linha',
  birth: 'nasci|nasceu|nascido|nascida|nascimento|aniversário|data de nascimento',
  postcode: 'cep|código postal',
  streetAfter: '',
  streetBefore: 'rua|avenida|av|travessa|praça|alameda|largo|estrada|rodovia',
  streetEnding: '',
  flat: 'apartamento|apto|bloco',
  dateJoint: 'de|do|em',
};
