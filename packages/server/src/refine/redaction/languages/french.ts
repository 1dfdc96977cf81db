import type { RedactionLanguage } from './language.ts';

export const french: RedactionLanguage = {
  code: 'fr',
  card: 'carte|carte bancaire|carte bleue|carte de crédit|cb|visa|mastercard|amex',
  cvv: 'cvv|cvc|cryptogramme|cryptogramme visuel|code de sécurité|trois chiffres au dos|code au dos',
  expiry:
    "expir\\S*|valable jusqu'?(?:au|en|à)?|valide jusqu'?(?:au|en|à)?|date d'expiration|fin de validité|d'expiration",
  iban: 'iban|compte|rib|compte bancaire',
  id: 'sécurité sociale|sécu|nir|numéro fiscal|numéro de sécu|insee',
  phone:
    'téléphone|tél|tel|portable|mobile|fixe|fax|whatsapp|appelez|appeler|appelle|appelez-moi|rappelez|rappeler|joindre|joignable|contacter|contactez|(?:mon|ton|votre|son|notre|leur|ce|un) numéro|numéro de téléphone|numéro de portable|rappelle|composer|composez',
  notPersonal:
    "(?:numéro|référence|code) (?:de |du |d')?(?:commande|facture|suivi|dossier|série|ticket|vol|train|chambre|client|article|lot|contrat|colis|réservation|erreur|version)|commande|facture|colis|dossier|version|vol|chambre|isbn|code-barres|page|habitants|chiffre d'affaires|référence|réservation|article|loi|erreur",
  birth: 'né|née|nés|naissance|anniversaire|date de naissance',
  postcode: 'code postal',
  streetAfter: 'rue|avenue|boulevard|place|chemin|allée|impasse|quai|route|cours|square|passage|bis|ter',
  streetBefore: '',
  streetEnding: '',
  flat: 'appartement|appart|bâtiment',
  dateJoint: 'de|du|le|en',
};
