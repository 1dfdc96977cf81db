// Portuguese cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const portuguese: RedactionLanguage = {
  code: 'pt',
  card: 'cartão(?! (?:d[eo] cidadão|de embarque|de visita|de saúde|de sócio|de utente|sim|de memória|postal|do sus|nacional|de residência|vermelho|amarelo))|cartão de crédito|cartão de débito|visa|mastercard|amex|elo',
  cvv: 'cvv|cvc|código de segurança|código de verificação|três dígitos do verso|dígitos do verso|código do verso|(?:dígitos|números|código|três|algarismos)(?: \\S+)? (?:atrás|de trás|do verso|no verso|verso)|no verso|de trás|(?:atrás|trás|verso)(?: \\S+){0,4} (?:dígitos|números|algarismos|código)|(?:dígitos|números|algarismos|código)(?: \\S+){0,4} (?:atrás|trás|verso)|assinatura|número de segurança|verso do (?:meu )?cartão',
  expiry: 'valid\\S*|até quando|data de fim|válid\\S*|vale até|vale|venc\\S*|expir\\S*|válido até|data de validade',
  iban: 'dados bancários|iban|conta|conta bancária|número da conta|nib',
  bankCode: 'agência|número da conta|conta corrente|nib|balcão|swift|bic|conta poupança',
  id: 'cpf|nif|contribuinte|número de contribuinte|segurança social|identidade|cartão de cidadão|rg|c p f|n i f|niss|passaporte|bilhete de identidade|carta de condução|cnh|carteira de motorista|carteira de identidade|cartão do cidadão|pis|título de eleitor|cnpj|número de utente|utente',
  lastDigits:
    'últimos (?:quatro|três|cinco)(?: dígitos| números| algarismos)?|termina(?:d[oa])? (?:em|com)|acaba(?:d[oa])? em',
  phone:
    'telefone|tel|telemóvel|celular|fixo|fax|whatsapp|zap|liga|ligue|ligar|ligue-me|liga-me|me liga|ligando|contacto|contato|contactar|contatar|(?:meu|teu|seu|nosso|o|um) número|número de telefone|número do celular|número de telemóvel|discar|chamar|ddd|indicativo|linha direta|número direto|central telefónica|a central|receção|recepção',
  extension: 'indicativo|ddd|extensão|ramal|ext',
  notPersonal:
    '(?:número|código|referência) (?:de |do |da )?(?:pedido|encomenda|fatura|rastreio|rastreamento|série|ticket|voo|trem|comboio|quarto|cliente|artigo|lote|contrato|processo|reserva|erro|versão|protocolo|nota fiscal)|pedido|ticket|encomenda|fatura|versão|voo|quarto|isbn|página|habitantes|código de barras|processo|artigo|lei|referência|reserva|protocolo|erro|linha|confirmação|recibo|sinistro|contrato|apólice|pacote|envio|entrega|vale|cupom|cupão|transação|orçamento|solicitação|reclamação|incidente|chamado|projeto|modelo|aparelho|peça|produto|lote|trem|comboio|ônibus|autocarro|assento|armário|contador|loteria|lotaria|catálogo|patente|formulário|sócio|cliente|garantia|reparação|inventário|rastreio|patch|build|contentor|contêiner|palete|matrícula|chassi',
  label:
    '(?:número|código) (?:de |do |da |dos |das )(?!(?:telefone|tel|telemóvel|celular|fixo|fax|casa|trabalho|escritório|contacto|contato|emergência|cartão|conta|cpf|nif|rg|contribuinte|identidade|identificação|segurança|passaporte|carta|carteira|cidadão|utente|meu|minha|teu|tua|seu|sua|nosso|minha|mãe|pai|verificação|verso|trás|whatsapp|porta|apartamento|agência)(?: |$))\\S+',
  birth: 'veio ao mundo|nasci|nasceu|nascido|nascida|nascimento|aniversário|data de nascimento',
  postcode: 'cep|código postal',
  streetAfter: '',
  streetBefore: 'rua|avenida|av|travessa|praça|alameda|largo|estrada|rodovia',
  streetEnding: '',
  flat: 'apartamento|apto|apartado|caixa postal|apt',
  annex: 'porta|andar|bloco|apartamento|apto|fração|lote|piso|torre|casa',
  residence: 'moro|moramos|mora|morada|endereço|vivo|vivemos|resido',
  dateJoint: 'de|do|em',
};
