import type { RedactionLanguage } from './language.ts';

export const german: RedactionLanguage = {
  code: 'de',
  card: '\\S*karte|\\S*kartennummer|kreditkarten\\S*|visa|mastercard|amex|maestro|girocard',
  cvv: 'cvv|cvc|cvc2|sicherheitscode|prüfziffer|prüfnummer|kartenprüfnummer|sicherheitsnummer|prüfcode',
  expiry: 'gültig bis|gültig|ablaufdatum|läuft ab|abläuft|verfallsdatum|ablauf|gültigkeit',
  iban: 'iban|kontonummer|konto|bankverbindung',
  id: 'steuer-?id|steueridentifikationsnummer|steuernummer|steuer id|identifikationsnummer|sozialversicherungsnummer|rentenversicherungsnummer|versicherungsnummer|sv-?nummer|svnr|ahv|ahv-?nummer|personalausweisnummer|ausweisnummer|rentenversicherung|sozialversicherung',
  phone:
    'telefon|telefonnummer|tel|handy|handynummer|mobil|mobilnummer|mobiltelefon|festnetz|rufnummer|durchwahl|fax|whatsapp|anrufen|ruf|rufen|rufst|rufe|angerufen|erreichen|erreichbar|erreichst|anruf|zurückrufen|rückruf|(?:meine|deine|ihre|seine|unsere|die|eine) nummer|melden|wählen',
  notPersonal:
    '(?:bestell|rechnungs?|auftrags?|sendungs?|artikel|kunden|serien|ticket|flug|zug|zimmer|vorgangs?|fall|aktenzeichen|fehler|buchungs?|referenz|chargen|modell|teile|los|seiten|vertrags|zähler|beleg|paket|policen|versions?)-?nummer|bestellung|rechnung|auftrag|ticket|version|flug|ausgabe|barcode|isbn|seite|einwohner|umsatz|paragraf|bestellnummern|zimmer|raum|linie|fehlercode|sendung|aktenzeichen|artikel',
  birth: 'geboren|geburtsdatum|geburtstag|geburt|geb',
  postcode: 'postleitzahl|plz',
  streetAfter: '',
  streetBefore: '',
  streetEnding: 'straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|chaussee|hausnummer',
  flat: 'hausnummer|wohnung|wohnungsnummer|apartment',
  dateJoint: 'den|im',
};
