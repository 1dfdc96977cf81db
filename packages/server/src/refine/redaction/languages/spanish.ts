import type { RedactionLanguage } from './language.ts';

export const spanish: RedactionLanguage = {
  code: 'es',
  card: 'tarjeta|visa|mastercard|amex|tarjeta de crédito|tarjeta de débito',
  cvv: 'cvv|cvc|código de seguridad|código de verificación|tres dígitos del dorso|dígitos de atrás|código de atrás',
  expiry: 'caduc\\S*|venc\\S*|expir\\S*|válida hasta|válida|fecha de caducidad',
  iban: 'iban|cuenta|cuenta bancaria|número de cuenta',
  id: 'dni|nie|nif|documento|documento de identidad|seguridad social|identidad|d n i|n i e|curp',
  phone:
    'teléfono|tel|móvil|celular|fijo|fax|whatsapp|llama|llame|llamar|llámame|llámeme|llámenos|llamarme|llaman|contacto|contactar|localizarme|marcar|marque|márcame|(?:mi|tu|su|nuestro|el|un) número|número de teléfono|número de móvil|número de contacto',
  notPersonal:
    '(?:número|código|referencia) (?:de |del )?(?:pedido|factura|seguimiento|serie|ticket|vuelo|tren|habitación|cliente|artículo|lote|contrato|expediente|reserva|error|versión|referencia)|pedido|factura|versión|vuelo|habitación|isbn|página|habitantes|código de barras|expediente|artículo|ley|referencia|reserva|envío|error',
  birth: 'nací|nació|nacido|nacida|nacimiento|cumpleaños|fecha de nacimiento',
  postcode: 'código postal|cp',
  streetAfter: '',
  streetBefore: 'calle|avenida|avda|plaza|paseo|carretera|camino|c|ronda|travesía|callejón',
  streetEnding: '',
  flat: 'piso|apartamento|departamento|bloque',
  dateJoint: 'de|del|el',
};
