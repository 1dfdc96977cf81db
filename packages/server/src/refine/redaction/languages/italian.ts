import type { RedactionLanguage } from './language.ts';

export const italian: RedactionLanguage = {
  code: 'it',
  card: 'carta|carta di credito|carta di debito|bancomat|visa|mastercard|amex|postepay',
  cvv: 'cvv|cvc|codice di sicurezza|codice sul retro|tre cifre sul retro|cifre sul retro',
  expiry: 'scad\\S*|valida fino (?:a|al)|data di scadenza',
  iban: 'iban|conto|conto corrente|coordinate bancarie',
  id: 'codice fiscale|fiscale|partita iva|tessera sanitaria',
  phone:
    'telefono|tel|cellulare|cell|fisso|fax|whatsapp|chiama|chiamare|chiamami|chiami|chiamatemi|chiamarmi|mi chiami|contattare|contattami|raggiungermi|recapito|richiamare|richiamami|(?:mio|tuo|suo|nostro|il|un) numero|numero di telefono|numero di cellulare|comporre',
  notPersonal:
    "(?:numero|codice|riferimento) (?:di |del |d'|dell')?\\s?(?:ordine|fattura|tracciamento|spedizione|serie|ticket|volo|treno|camera|cliente|articolo|lotto|contratto|pratica|prenotazione|errore|versione|pacco)|ordine|fattura|versione|volo|camera|isbn|pagina|abitanti|codice a barre|pratica|articolo|legge|prenotazione|errore|spedizione",
  birth: 'nato|nata|nascita|compleanno|data di nascita',
  postcode: 'cap|codice di avviamento postale|codice postale',
  streetAfter: '',
  streetBefore: 'via|viale|piazza|corso|largo|vicolo|strada|piazzale|lungomare',
  streetEnding: '',
  flat: 'interno|numero civico|civico|appartamento',
  dateJoint: "di|del|il|l'",
};
