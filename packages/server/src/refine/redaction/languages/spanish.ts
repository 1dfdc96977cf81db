// Spanish cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const spanish: RedactionLanguage = {
  code: 'es',
  card: 'tarjeta(?! (?:sanitaria|de residencia|sim|de visita|de embarque|de fidelidad|de socio|de identidad|de memoria|gráfica|postal|roja|amarilla|de la seguridad))|visa|mastercard|amex|tarjeta de crédito|tarjeta de débito',
  cvv: 'cvv|cvc|código de seguridad|código de verificación|tres dígitos del dorso|dígitos de atrás|código de atrás|(?:dígitos|números|código|tres|cifras)(?: \\S+)? (?:de atrás|detrás|por detrás|dorso|del reverso|reverso)|por detrás|del reverso|(?:detrás|atrás|dorso|reverso)(?: \\S+){0,4} (?:dígitos|números|cifras|código)|(?:dígitos|números|cifras|código)(?: \\S+){0,4} (?:detrás|atrás|dorso|reverso)|firma|número de seguridad|dorso de (?:la|mi) tarjeta|reverso de (?:la|mi) tarjeta',
  expiry:
    'caduc\\S*|hasta cuándo|fecha de fin|válid\\S*|vale hasta|venc\\S*|expir\\S*|válida hasta|válida|fecha de caducidad',
  iban: 'datos bancarios|iban|cuenta|cuenta bancaria|número de cuenta',
  bankCode: 'número de cuenta|sucursal|entidad|clabe|oficina|código swift|bic',
  id: 'dni|nie|nif|documento|documento de identidad|seguridad social|identidad|d n i|n i e|curp|pasaporte|carn[eé] de conducir|carn[eé] de identidad|licencia de conducir|rfc|cédula|cuit|cuil|rut|nss|cif|tarjeta sanitaria|permiso de residencia|número de afiliación',
  lastDigits:
    'últimos (?:cuatro|tres|cinco)(?: dígitos| números| cifras)?|últimas (?:cuatro|tres|cinco)(?: cifras)?|termina(?:d[oa])? en|acaba(?:d[oa])? en',
  phone:
    'teléfono|tel|móvil|celular|fijo|fax|whatsapp|llama|llame|llamar|llámame|llámeme|llámenos|llamarme|llaman|contacto|contactar|localizarme|marcar|marque|márcame|(?:mi|tu|su|nuestro|el|un) número|número de teléfono|número de móvil|número de contacto|prefijo|lada|línea directa|número directo|centralita|recepción',
  extension: 'prefijo|lada|extensión|ext|interno|anexo',
  notPersonal:
    '(?:número|código|referencia) (?:de |del )?(?:pedido|factura|seguimiento|serie|ticket|vuelo|tren|habitación|cliente|artículo|lote|contrato|expediente|reserva|error|versión|referencia)|pedido|ticket|factura|versión|vuelo|habitación|isbn|página|habitantes|código de barras|expediente|artículo|ley|referencia|reserva|envío|error|confirmación|recibo|siniestro|contrato|póliza|paquete|entrega|vale|cupón|transacción|presupuesto|solicitud|reclamación|incidencia|incidente|proyecto|modelo|aparato|pieza|producto|lote|tren|autobús|asiento|taquilla|contador|lotería|catálogo|patente|formulario|encuesta|protocolo|socio|cliente|garantía|reparación|inventario|albarán|seguimiento|localizador|parche|compilación|contenedor|palé|matrícula|bastidor',
  label:
    '(?:número|código|referencia|localizador) (?:de la |de los |de |del )(?!(?:teléfono|tel|móvil|celular|fijo|fax|casa|trabajo|contacto|emergencia|emergencias|tarjeta|cuenta|dni|nie|nif|documento|identidad|identificación|seguridad|pasaporte|carn[eé]|licencia|mi|tu|su|nuestro|la|el|los|las|mis|oficina|sucursal|afiliación|cédula|atrás|detrás|dorso|reverso|verificación|portal|calle|piso|whatsapp)(?: |$))\\S+',
  birth: 'vino al mundo|nací|nació|nacido|nacida|nacimiento|cumpleaños|fecha de nacimiento',
  postcode: 'código postal|cp',
  streetAfter: '',
  streetBefore: 'calle|avenida|avda|plaza|paseo|carretera|camino|c|ronda|travesía|callejón',
  streetEnding: '',
  flat: 'piso|apartamento|departamento|apartado de correos|apartado postal',
  annex: 'puerta|escalera|portal|planta|piso|bloque|letra|torre',
  residence: 'vivo|vivimos|vive|dirección|domicilio|resido',
  dateJoint: 'de|del|el',
};
