// German cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const german: RedactionLanguage = {
  code: 'de',
  card: '(?!(?:gesundheits|versicherten|kranken|versicherungs|fahr|eintritts|speise|visiten|sim|land|post|bahn|monats|spiel|ansichts|stadt|grafik|speicher|jahres|bord|dauer|mitglieds)karte)\\S*karte|\\S*kartennummer|kreditkarten\\S*|visa|mastercard|amex|maestro|girocard',
  cvv: 'cvv|cvc|cvc2|sicherheitscode|prüfziffer|prüfnummer|kartenprüfnummer|sicherheitsnummer|prüfcode|(?:ziffern|zahlen|nummer|code|drei|stellen)(?: \\S+)? (?:hinten|rückseite)|(?:hinten|rückseite)|(?:hinten|rückseite)(?: \\S+){0,4} (?:ziffern|zahlen|stellen|nummer|code)|(?:ziffern|zahlen|stellen|nummer|code)(?: \\S+){0,4} (?:hinten|rückseite)|unterschrift\\S*|sicherheitsziffer\\S*',
  expiry:
    'läuft(?: \\S+){0,5} ab|bis wann|wie lange|gültig bis|gilt bis|gültig|ablaufdatum|läuft ab|abläuft|ablauf\\S*|abgelaufen|verfallsdatum|ablauf|gültigkeit',
  iban: 'bankdaten|iban|kontonummer|konto|bankverbindung',
  bankCode: 'bankleitzahl|blz|kontonummer|bic',
  id: 'perso|persos|krankenkassennummer|krankenversicherungsnummer|gesundheitskarte|steuer-?id|steueridentifikationsnummer|steuernummer|steuer id|identifikationsnummer|sozialversicherungsnummer|rentenversicherungsnummer|versicherungsnummer|sv-?nummer|svnr|ahv|ahv-?nummer|personalausweisnummer|ausweisnummer|rentenversicherung|sozialversicherung|personalausweis|ausweis|reisepass|reisepassnummer|pass|passnummer|führerschein|führerscheinnummer|aufenthaltstitel|versichertennummer|krankenversichertennummer|personenkennzahl|idnr|identnummer',
  lastDigits: 'letzten? (?:vier|drei|fünf)(?: ziffern| stellen| zahlen)?|endet (?:auf|mit)|endziffern?',
  phone:
    'telefon|telefonnummer|tel|handy|handynummer|mobil|mobilnummer|mobiltelefon|festnetz|rufnummer|durchwahl|fax|whatsapp|anrufen|ruf|rufen|rufst|rufe|angerufen|erreichen|erreichbar|erreichst|anruf|zurückrufen|rückruf|(?:meine|deine|ihre|seine|unsere|die|eine) nummer|melden|wählen|vorwahl|telefonisch|handy-nummer|zentrale|hotline|kundendienst|büro',
  extension: 'vorwahl|durchwahl|nebenstelle|apparat',
  notPersonal:
    '(?:bestell|rechnungs?|auftrags?|sendungs?|artikel|kunden|serien|ticket|flug|zug|zimmer|vorgangs?|fall|aktenzeichen|fehler|buchungs?|referenz|chargen|modell|teile|los|seiten|vertrags|zähler|beleg|paket|policen|versions?)-?nummer|bestellung|rechnung|auftrag|ticket|version|flug|ausgabe|barcode|isbn|seite|einwohner|umsatz|paragraf|bestellnummern|zimmer|raum|linie|fehlercode|sendung|aktenzeichen|artikel|bestätigung|buchung|reservierung|quittung|beleg|fall|akte|schaden|schadensfall|vertrag|police|paket|lieferung|gutschein|transaktion|angebot|antrag|beschwerde|vorgang|anfrage|projekt|modell|gerät|teil|produkt|charge|firmware|zug|bus|sitz|spind|zähler|zählerstand|lotto|katalog|patent|fehler|formular|umfrage|referenz|protokoll|mitglied|kunde|garantie|reparatur|inventar|patch|build|container|palette|waggon|fahrgestell|\\S+(?:auftrag|bestellung|rechnung|buchung|ticket|vertrag|schein|etikett|antrag|lieferung|sendung)',
  label:
    '(?!(?:telefon|handy|mobil|ruf|rück|fax|festnetz|privat|büro|not|konto|bank|karten|kredit|ausweis|personal|pass|reisepass|steuer|sozial|renten|kranken|versicher|führerschein|haus|geheim|ident|sv|ahv|iban|durchwahl|whatsapp|prüf|sicherheits|wohnungs|haupt|dienst))\\S{3,}(?:nummern?|nr|kennung|zeichen|schlüssel)',
  birth:
    '(?:hatte|bekam|gebar) (?:mama|mutti|meine mutter) mich|(?:hatte|bekam|gebar) mich (?:mama|mutti|meine mutter)|zur welt|geboren|geburtsdatum|geburtstag|geburt|geb',
  postcode: 'postleitzahl|plz',
  streetAfter: '',
  streetBefore: '',
  streetEnding: 'straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|chaussee|hausnummer',
  flat: 'hausnummer|wohnung|wohnungsnummer|apartment|postfach|apartment-nummer',
  annex: 'stock|etage|aufgang|haus|wohnung|tür|top|stiege',
  residence: 'wohn(?:e|en|t|haft)|adresse|anschrift|lieferadresse|gemeldet|zuhause',
  dateJoint: 'den|im',
};
