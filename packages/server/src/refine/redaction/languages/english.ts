// English cues for redaction: the words around personal and other numbers.
import type { RedactionLanguage } from './language.ts';

export const english: RedactionLanguage = {
  code: 'en',
  card: '(?<!(?:id|identity|library|business|health|sim|green|loyalty|membership|report|medicare|medical|student|member|score|greeting|birthday|postal|memory|sd|graphics|video|sound|key|insurance|travel|resident|residence) )card|credit|debit|visa|mastercard|amex|american express|discover|maestro',
  cvv: 'cvv|cvc|cvv2|cvc2|security code|verification code on the (?:back|card)|code on the back|three digits? on the back|c v v|c v c|(?:three|four|digits|numbers?|code|it) (?:\\S+ )?(?:on|at) the (?:back|front|reverse)|digits? on the (?:back|front)|(?:back|reverse)(?: \\S+){0,4} (?:digits?|numbers?|three|code)|(?:digits?|numbers?|three|code)(?: \\S+){0,4} (?:back|reverse)|signature|strip|security number|verification number|back of (?:the|my|her|his) card',
  expiry:
    'expir\\S*|(?:runs?|ran|running) out|until when|end date|good through|valid|valid (?:until|till|to|thru|through)|good (?:until|till|to|thru|through)|exp',
  iban: 'bank details|iban|i b a n|account number|bank account|account',
  bankCode: 'sort code|routing|routing number|aba|bsb|branch code|swift|account number',
  id: "green card|alien number|ssn|s s n|social|social security|social security number|social insurance|sin|insurance number|national insurance|ni number|nino|tax id|tax identification|itin|taxpayer|passport|passport number|driver'?s? licen[cs]e|driving licen[cs]e|licen[cs]e number|nhs number|nhs|medicare|medicare number|id number|identity card|id card|ein|licen[cs]e",
  lastDigits: 'last (?:four|three|five|4|3|5)(?: digits| numbers)?|ends?(?: in| with)?|ending in|ending(?: in| with)?',
  phone:
    'phone|telephone|cell|cellphone|mobile|landline|fax|whatsapp|call|calls|called|calling|ring|dial|text me|text us|reach me|reach us|reach him|reach her|contact|callback|(?:my|your|his|her|our|their|the|a|emergency|home|office|work|direct|best) number|number (?:to|where) (?:call|reach|you)|number there is|number here is|voicemail|extension|direct line|area code|line is|switchboard|hotline|front desk|helpline|number for',
  extension: 'extension|ext|x|area code|dialling code',
  notPersonal:
    '(?:line|lot|bar) (?:number|code|id|no|#)|(?:order|tracking|invoice|ticket|reference|serial|part|model|flight|train|room|gate|case|bug|issue|pull request|pr|build|version|release|port|article|sku|item|confirmation|booking|batch|product|commit|patent|license plate|page|chapter|bus|route|channel|lottery|error|catalog|catalogue|policy|claim|purchase order|po|meter|document) ?(?:number|code|id|no|#)?|barcode|isbn|version|population|revenue|budget|score|scored|votes|population of|total of|confirmation|booking|reservation|order|purchase|invoice|receipt|ticket|case|file number|dossier|claim|contract|policy|parcel|package|shipment|tracking|delivery|voucher|coupon|gift card|transaction|quote|quotation|application|complaint|incident|request|job|project|serial|model|part|item|article|product|sku|batch|build|firmware|flight|train|bus|room|seat|locker|meter|lottery|catalogue|catalog|patent|error|asset|form|survey|reference|protocol|membership|loyalty|customer|client|member|employee|badge|machine|device|licen[cs]e key|docket|warranty|inventory|stock|work order|repair|service request|patch|container|pallet|consignment|wagon|chassis|vin|numberplate|number plate|registration',
  label:
    "(?!(?:my|your|his|her|our|their|its|the|a|an|that|this|any|no|whole|full|long|short|right|wrong|correct|new|old|same|other|another|first|second|last|next|best|better|direct|home|house|work|office|emergency|phone|telephone|mobile|cell|cellphone|landline|fax|whatsapp|card|account|bank|contact|callback|big|security|national|social|insurance|passport|licen[cs]e|tax|id|identity|routing|sort|area|country|zip|post|postal|personal|main|backup|alternative|alternate|current|private|daytime|evening|only|and|of|or|is|was|get|got|give|take|need|have|what|which|what's|that's|it's|to|with|on|by|for|from|credit|debit|security|extension|branch|nhs|medicare) |\\S+'s )\\S{2,} (?:number|code|reference|ref|id)",
  birth: 'born|birth|birthday|birthdate|birth date|dob|d o b|date of birth',
  postcode: 'zip|zip code|postcode|post code|postal code',
  streetAfter:
    'street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|terrace|crescent|place|square|parkway|highway|close|gardens|row|alley',
  streetBefore: '',
  streetEnding: '',
  flat: 'apartment|apt|suite|flat|house number|unit|po box|p\\.?o\\.? box|p o box',
  annex: 'floor|door|unit|staircase|building',
  residence:
    "live at|lives at|living at|address is|address|ship(?:ped)? (?:it )?to|deliver(?:ed)? (?:it )?to|send it to|i'm at|we're at|find (?:us|me) at|located at",
  dateJoint: 'of|the',
};
