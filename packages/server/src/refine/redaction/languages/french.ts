// French cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const french: RedactionLanguage = {
  code: 'fr',
  card: "carte(?! (?:d['’]identité|nationale|vitale|de séjour|sim|grise|de visite|de fidélité|d['’]embarquement|postale|mémoire|d['’]étudiant|de transport|routière|graphique|mère))|carte bancaire|carte bleue|carte de crédit|cb|visa|mastercard|amex",
  cvv: 'cvv|cvc|cryptogramme|cryptogramme visuel|code de sécurité|trois chiffres au dos|code au dos|(?:chiffres|numéros|code|trois|numéro)(?: \\S+)? (?:au dos|au verso|derrière)|au dos|au verso|(?:derrière|dos|verso)(?: \\S+){0,4} (?:chiffres|numéros|code)|(?:chiffres|numéros|code)(?: \\S+){0,4} (?:derrière|dos|verso)|signature|numéro de sécurité|code secret|dos de (?:la|ma) carte',
  expiry:
    "expir\\S*|date de fin|jusqu['’]?(?:à|en)? quand|périm\\S*|valable jusqu'?(?:au|en|à)?|valide jusqu'?(?:au|en|à)?|date d'expiration|fin de validité|d'expiration",
  iban: 'coordonnées bancaires|iban|compte|rib|compte bancaire',
  bankCode: 'code banque|banque|guichet|code guichet|rib|clé rib|numéro de compte|bic|agence',
  id: "sécurité sociale|sécu|nir|numéro fiscal|numéro de sécu|insee|carte d'identité|cni|passeport|permis de conduire|permis|titre de séjour|carte vitale|carte de séjour|numéro de passeport|identité|siret|siren",
  lastDigits: '(?:quatre|trois|cinq) derniers(?: chiffres| numéros)?|(?:finit|termine)(?: par| en)?',
  phone:
    'téléphone|tél|tel|portable|mobile|fixe|fax|whatsapp|appelez|appeler|appelle|appelez-moi|rappelez|rappeler|joindre|joignable|contacter|contactez|(?:mon|ton|votre|son|notre|leur|ce|un) numéro|numéro de téléphone|numéro de portable|rappelle|composer|composez|indicatif|ligne directe|(?:le|au|du) numéro|standard|accueil|secrétariat',
  extension: 'indicatif|poste|extension|ligne interne',
  notPersonal:
    "(?:numéro|référence|code) (?:de |du |d')?(?:commande|facture|suivi|dossier|série|ticket|vol|train|chambre|client|article|lot|contrat|colis|réservation|erreur|version)|commande|ticket|facture|colis|dossier|version|vol|chambre|isbn|code-barres|page|habitants|chiffre d'affaires|référence|réservation|article|loi|erreur|confirmation|reçu|sinistre|contrat|police|envoi|livraison|bon|coupon|transaction|devis|demande|réclamation|incident|projet|modèle|appareil|pièce|produit|lot|train|bus|siège|casier|compteur|loto|catalogue|brevet|formulaire|enquête|protocole|adhérent|client|garantie|réparation|inventaire|bordereau|suivi|correctif|build|conteneur|palette|immatriculation|châssis",
  label:
    "(?:numéro|code|référence|identifiant) (?:de |du |des |d['’]|de la |de l['’])(?!(?:téléphone|tel|tél|portable|mobile|fixe|fax|carte|compte|sécurité|sécu|passeport|permis|rue|maison|mon|ma|mes|ton|ta|votre|son|sa|notre|leur|la|le|l|mobile|bureau|domicile|urgence|contact|secours|guichet|banque|cb|identité|titre|appartement|tva|siret)(?: |$|['’]))\\S+",
  birth: 'vu le jour|venue? au monde|né|née|nés|naissance|anniversaire|date de naissance',
  postcode: 'code postal',
  streetAfter: 'rue|avenue|boulevard|place|chemin|allée|impasse|quai|route|cours|square|passage|bis|ter',
  streetBefore: '',
  streetEnding: '',
  flat: 'appartement|appart|boîte postale|bp',
  annex: 'étage|escalier|porte|bâtiment|appartement|appart|appt|hall|résidence',
  residence: "habite|j'habite|habitons|habitez|adresse|domicilié|domiciliée|réside",
  dateJoint: 'de|du|le|en',
};
