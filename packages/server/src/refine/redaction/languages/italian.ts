// Italian cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const italian: RedactionLanguage = {
  code: 'it',
  card: "carta(?! (?:d['’]identità|di identità|d['’]imbarco|di soggiorno|sim|fedeltà|intestata|igienica|geografica|stradale|verde))|carta di credito|carta di debito|bancomat|visa|mastercard|amex|postepay",
  cvv: 'cvv|cvc|codice di sicurezza|codice sul retro|tre cifre sul retro|cifre sul retro|(?:cifre|numeri|codice|tre)(?: \\S+)? (?:dietro|sul retro|retro|sul dorso)|sul retro|(?:dietro|retro)(?: \\S+){0,4} (?:cifre|numeri|codice)|(?:cifre|numeri|codice)(?: \\S+){0,4} (?:dietro|retro)|firma|numero di sicurezza|retro della (?:mia )?carta',
  expiry: 'scad\\S*|fino a quando|data di fine|valid\\S*|vale fino a|valida fino (?:a|al)|data di scadenza',
  iban: 'iban|conto|conto corrente|coordinate bancarie',
  bankCode: 'abi|cab|cin|numero di conto|conto corrente|swift|bic|filiale',
  id: "codice fiscale|fiscale|partita iva|tessera sanitaria|carta d'identità|carta di identità|identità|passaporto|patente|patente di guida|permesso di soggiorno|numero di passaporto|documento",
  lastDigits:
    'ultime (?:quattro|tre|cinque)(?: cifre)?|ultimi (?:quattro|tre|cinque)(?: numeri)?|finisce (?:con|per)|termina(?:nte)? (?:con|per)',
  phone:
    'telefono|tel|cellulare|cell|fisso|fax|whatsapp|chiama|chiamare|chiamami|chiami|chiamatemi|chiamarmi|mi chiami|contattare|contattami|raggiungermi|recapito|richiamare|richiamami|(?:mio|tuo|suo|nostro|il|un) numero|numero di telefono|numero di cellulare|comporre|prefisso|linea diretta|numero diretto|centralino|reception',
  extension: 'prefisso|interno|int|derivazione',
  notPersonal:
    "(?:numero|codice|riferimento) (?:di |del |d'|dell')?\\s?(?:ordine|fattura|tracciamento|spedizione|serie|ticket|volo|treno|camera|cliente|articolo|lotto|contratto|pratica|prenotazione|errore|versione|pacco)|ordine|ticket|fattura|versione|volo|camera|isbn|pagina|abitanti|codice a barre|pratica|articolo|legge|prenotazione|errore|spedizione|conferma|ricevuta|scontrino|sinistro|contratto|polizza|pacco|consegna|buono|coupon|transazione|preventivo|richiesta|reclamo|segnalazione|progetto|modello|apparecchio|pezzo|prodotto|lotto|treno|autobus|posto|armadietto|contatore|lotteria|catalogo|brevetto|modulo|sondaggio|riferimento|protocollo|socio|cliente|garanzia|riparazione|inventario|tracciamento|patch|build|container|bancale|matricola|telaio|targa",
  label:
    "(?:numero|codice) (?:di |del |della |dello |dell['’]|d['’])(?!(?:telefono|tel|cellulare|cell|fisso|fax|casa|ufficio|lavoro|carta|conto|sicurezza|passaporto|patente|documento|identità|mio|mia|tuo|tua|suo|sua|mamma|papà|emergenza|contatto|avviamento|recapito|tessera|iban|retro|whatsapp|studio|negozio)(?: |$))\\S+",
  birth: 'venut[oa] al mondo|nato|nata|nascita|compleanno|data di nascita',
  postcode: 'cap|codice di avviamento postale|codice postale',
  streetAfter: '',
  streetBefore: 'via|viale|piazza|corso|largo|vicolo|strada|piazzale|lungomare',
  streetEnding: '',
  flat: 'interno|numero civico|civico|appartamento|casella postale',
  annex: 'scala|piano|interno|palazzina|citofono|porta|int',
  residence: 'abito|abitiamo|abita|indirizzo|residente|risiedo|domicilio',
  dateJoint: "di|del|il|l'",
};
