// Dutch cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const dutch: RedactionLanguage = {
  code: 'nl',
  card: '(?!(?:identiteits|id-|id|sim|visite|land|toegangs|ansicht|post|ov-chip|ovchip|instap|verzekerings|zorg|klanten|plattegrond|geheugen|menu|wegen|jaar|trein|verjaardags|kies|zwem)kaart)\\S*kaart|pas|pasje|bankpas|\\S*kaartnummer|pinpas|visa|mastercard|amex|maestro',
  cvv: 'cvv|cvc|beveiligingscode|veiligheidscode|controlecode|drie cijfers achterop|cijfers achterop|code achterop|(?:cijfers|nummers|code|drie)(?: \\S+)? (?:achterop|achterkant|op de achterkant)|achterop|achterkant|(?:achterop|achterkant)(?: \\S+){0,4} (?:cijfers|nummers|code)|(?:cijfers|nummers|code)(?: \\S+){0,4} (?:achterop|achterkant)|handtekening|beveiligingsnummer|veiligheidsnummer',
  expiry:
    'verloop\\S*|verlopen|(?:loopt|afloopt|loop)(?: \\S+){0,5} af|tot wanneer|hoelang|einddatum|vervaldatum|geldig tot|geldig|verloopdatum|vervalt',
  iban: 'bankgegevens|iban|rekening|rekeningnummer|bankrekening',
  bankCode: 'rekeningnummer|bankcode|bic',
  id: 'bsn|burgerservicenummer|sofinummer|b s n|rijksregisternummer|paspoort|paspoortnummer|rijbewijs|rijbewijsnummer|identiteitskaart|id-kaart|identiteitsbewijs|documentnummer|verblijfsvergunning|v-nummer|btw-nummer|insz',
  lastDigits: 'laatste (?:vier|drie|vijf)(?: cijfers| getallen| nummers)?|eindigt (?:op|met)',
  phone:
    '\\S*telefoon|telefoonnummer|tel|mobiel|mobiele|gsm|fax|whatsapp|app|bel|bellen|belt|gebeld|terugbellen|bereiken|bereikbaar|contact|(?:mijn|jouw|je|uw|zijn|haar|ons|het|een) nummer|draai|netnummer|kengetal|doorkiesnummer|directe lijn|(?:op|dit) nummer|centrale|receptie|telefooncentrale',
  extension: 'netnummer|kengetal|toestel|doorkiesnummer|extensie',
  notPersonal:
    'kenteken|chassis|(?:bestel|order|factuur|volg|artikel|klant|serie|ticket|vlucht|kamer|dossier|zaak|fout|boekings|referentie|partij|model|contract|pakket|polis|versie|trein)-?nummer|bestelling|order|factuur|versie|vlucht|kamer|isbn|pagina|inwoners|streepjescode|omzet|artikel|boeking|pakket|foutcode|dossier|track en trace|bevestiging|reservering|bon|ticket|zaak|schade|schadeclaim|contract|polis|zending|levering|voucher|tegoedbon|coupon|transactie|offerte|aanvraag|klacht|melding|project|model|apparaat|onderdeel|product|partij|trein|bus|stoel|kluisje|meter|meterstand|loterij|catalogus|patent|fout|formulier|enquête|referentie|kenmerk|protocol|lid|klant|garantie|reparatie|voorraad|patch|build|container|pallet|\\S+(?:order|bestelling|factuur|boeking|ticket|contract|bon|label|aanvraag|levering|zending)',
  label:
    '(?!(?:telefoon|mobiele|gsm|fax|vast|prive|privé|kantoor|nood|rekening|bank|kaart|paspoort|rijbewijs|burgerservice|sofi|rijksregister|identiteit|document|huis|doorkies|net|beveiligings|veiligheids|toestel|v-|btw|werk|thuis|appartement))\\S{3,}(?:nummers?|nr|kenmerk)',
  birth: 'ter wereld|geboren|geboortedatum|geboorte|verjaardag|jarig',
  postcode: 'postcode',
  streetAfter: '',
  streetBefore: '',
  streetEnding: 'straat|laan|weg|plein|gracht|kade|singel|dijk|steeg|hof|dreef|huisnummer',
  flat: 'huisnummer|appartement|postbus|appartementnummer',
  annex: 'etage|verdieping|bus|toevoeging|appartement|kamer|portiek|deur',
  residence: 'woon|wonen|woont|adres|bezorgadres|woonachtig|afleveradres',
  dateJoint: 'de|van|op',
};
