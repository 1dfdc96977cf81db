import type { RedactionLanguage } from './language.ts';

export const dutch: RedactionLanguage = {
  code: 'nl',
  card: '\\S*kaart|\\S*kaartnummer|pinpas|visa|mastercard|amex|maestro',
  cvv: 'cvv|cvc|beveiligingscode|veiligheidscode|controlecode|drie cijfers achterop|cijfers achterop|code achterop',
  expiry: 'verloopt|vervaldatum|geldig tot|geldig|verloopdatum|vervalt',
  iban: 'iban|rekening|rekeningnummer|bankrekening',
  id: 'bsn|burgerservicenummer|sofinummer|b s n|rijksregisternummer',
  phone:
    '\\S*telefoon|telefoonnummer|tel|mobiel|mobiele|gsm|fax|whatsapp|app|bel|bellen|belt|gebeld|terugbellen|bereiken|bereikbaar|contact|(?:mijn|jouw|je|uw|zijn|haar|ons|het|een) nummer|draai',
  notPersonal:
    '(?:bestel|order|factuur|volg|artikel|klant|serie|ticket|vlucht|kamer|dossier|zaak|fout|boekings|referentie|partij|model|contract|pakket|polis|versie|trein)-?nummer|bestelling|order|factuur|versie|vlucht|kamer|isbn|pagina|inwoners|streepjescode|omzet|artikel|boeking|pakket|foutcode|dossier|track en trace',
  birth: 'geboren|geboortedatum|geboorte|verjaardag|jarig',
  postcode: 'postcode',
  streetAfter: '',
  streetBefore: '',
  streetEnding: 'straat|laan|weg|plein|gracht|kade|singel|dijk|steeg|hof|dreef|huisnummer',
  flat: 'huisnummer|appartement',
  dateJoint: 'de|van|op',
};
