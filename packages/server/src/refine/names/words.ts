// English names and abbreviations with their capitals. Most names that are also common words are omitted.
import { words } from '../words.ts';

export const ACRONYMS =
  words(`usa uk eu fbi cia nasa nato un uae nyc la dc irs fda cdc epa nhs bbc cnn nbc abc hbo nba nfl mlb nhl fifa
  api apis html css sql http https url urls pdf cpu gpu ram rom ssd usb hdmi wifi vpn dns ip tcp udp ssh ftp json xml yaml csv aws gcp sdk ide cli gui ui ux
  ai ml llm gpt ocr asr tts ceo cto cfo coo hr pr qa it vp svp kpi kpis roi b2b saas crm erp sla faq diy asap fyi eta rsvp tbd tba ok
  tv dvd cd dj mc vip id atm gps suv rv bmw ibm att ups usps dhl mri ct ecg ekg eeg icu er iv dna rna hiv aids adhd ocd ptsd bmi copd uti
  phd mba bsc gpa sat act ssn pin pm am mp mvp nda llc ipo etf gdp cpa apr usd gbp eur utc gmt est pst cst pdt edt cv ad bc
  npm jwt oauth crud orm rest iot led lcd pc mac hp sms mms nfc rfid isbn`);
/** Abbreviations that are not English words, so they are always written in capitals. */
export const SAFE_ACRONYMS =
  words(`usa fbi cia nasa nato uae nyc fda cdc nhs bbc cnn nbc hbo nba nfl mlb nhl fifa api apis html css sql http https url urls pdf
  cpu gpu ssd usb hdmi vpn dns tcp udp ssh ftp json xml yaml csv aws gcp sdk gui llm gpt ocr ceo cto cfo coo svp kpi kpis crm erp sla faq diy rsvp
  tv dvd suv bmw ibm usps dhl mri ecg ekg eeg dna rna hiv adhd ocd ptsd bmi copd phd mba gpa ssn nda llc etf gdp cpa usd gbp utc gmt jwt iot lcd
  sms mms nfc rfid isbn gps eta fyi asap atm icu`);

export const PLACES =
  words(`america american americans england english britain british scotland scottish ireland irish wales welsh france french germany german
  germans italy italian spain spanish portugal portuguese netherlands belgium belgian switzerland swiss austria austrian sweden swedish norway norwegian
  denmark finland finnish poland russia russian ukraine ukrainian greece greek chinese japan japanese korea korean india indian
  indians mexico mexican canada canadian brazil brazilian argentina australia australian africa african europe european asia asian egypt israel iran
  iraq pakistan vietnam vietnamese thailand thai singapore taiwan indonesia philippines kenya nigeria london paris berlin madrid rome lisbon amsterdam vienna
  zurich geneva munich hamburg barcelona milan venice florence dublin edinburgh moscow tokyo kyoto osaka beijing shanghai seoul delhi mumbai sydney melbourne
  toronto vancouver montreal chicago boston seattle denver dallas houston austin miami atlanta philadelphia pittsburgh detroit minneapolis
  california texas florida oregon colorado arizona nevada utah ohio michigan illinois virginia pennsylvania massachusetts connecticut
  manhattan brooklyn hollywood hawaii alaska christmas easter thanksgiving halloween christian christians jewish muslim muslims catholic buddhist hindu celsius fahrenheit`);

export const FIRST_NAMES =
  words(`john james robert michael david william richard joseph thomas charles christopher daniel matthew anthony steven paul andrew joshua
  kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
  gregory alexander patrick raymond jerry dennis tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy walter christian keith roger
  terry austin sean gerald carl harold dylan arthur lawrence jordan jesse bryan billy bruce gabriel joe logan alan juan albert willie elijah wayne randy vincent
  mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda
  melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra
  rachel carolyn janet catherine maria heather diane ruth julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl
  hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice julia judy sophia denise amber doris marilyn danielle
  beverly isabella theresa diana natalie brittany charlotte marie kayla alexis lori tom mike dave bob steve jim tim dan matt chris alex ben sam nick
  tony greg jeff ed ted fred josh jake luke simon oliver leo max oscar hugo felix lucas liam mia ava zoe chloe lucy lily ella
  priya raj ravi anil sanjay amit wei ming yuki kenji ahmed mohammed fatima omar ali hassan carlos luis miguel pedro diego sofia lucia elena
  jane emma nina ivan igor olga boris anita karl lars sven ingrid helga otto
  hans klaus jürgen pierre jacques marco giulia luca giovanni joão paulo ana`);

/** Family names. Many are also words: they take a capital only after a first name or a title. */
export const FAMILY_NAMES =
  words(`smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson thomas
  taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen king wright scott torres nguyen
  hill flores green adams nelson baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker cruz edwards collins reyes
  stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks
  chavez wood james bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster jimenez powell jenkins perry russell
  sullivan bell coleman butler henderson barnes gonzales fisher vasquez simmons romero jordan patterson alexander hamilton graham reynolds griffin wallace
  west cole hayes bryant herrera gibson ellis tran medina stevens ford owens chen wang singh khan shah kumar doe weber müller schmidt rossi silva`);

/** Multi-word place names. */
export const PLACE_PHRASES: ReadonlyMap<string, string> = new Map(
  `New York City|New York|New Jersey|New Zealand|New Orleans|New Mexico|New Hampshire|Los Angeles|San Francisco|San Diego|San Antonio|San Jose|Las Vegas|
Hong Kong|United States|United Kingdom|South Africa|South Korea|North Korea|North Carolina|South Carolina|North Dakota|South Dakota|West Virginia|
Saudi Arabia|Sri Lanka|Costa Rica|Puerto Rico|Buenos Aires|Mexico City|Salt Lake City|Kansas City|Silicon Valley|White House|Rhode Island|Tel Aviv|
Cape Town|Costa Mesa|Santa Monica|Santa Clara|Palo Alto|Wall Street|Times Square|Middle East|European Union`
    .split(/\|\s*/u)
    .map((name) => [name.toLowerCase(), name]),
);

/** Brands and tools with a fixed spelling. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map(
  `iPhone iPhones iPad iOS macOS GitHub GitLab JavaScript TypeScript YouTube LinkedIn WhatsApp PayPal eBay PowerPoint PostgreSQL MySQL MongoDB GraphQL
  Kubernetes Docker Linux Ubuntu Google Microsoft Facebook Instagram Netflix Spotify Tesla Toyota Samsung Gmail Dropbox Salesforce OpenAI ChatGPT
  Redis Django Jira Photoshop Wikipedia Airbnb Starbucks Walmart Costco Ikea FedEx`
    .split(/\s+/u)
    .map((name) => [name.toLowerCase(), name]),
);

/** First names that are also other words, so they are not capitalised on their own. */
export const AMBIGUOUS_FIRST_NAMES = words(
  'austin jordan madison virginia christian max art will mark grant amber jean logan ed ted sofia ava ella ali raj',
);
