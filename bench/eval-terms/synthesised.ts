// Sentences spoken by espeak-ng. Half of them contain a term: a name, drug, product or code word.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NAMES =
  'Siobhan Nguyen Joaquin Anneliese Wojciech Thibault Oyelaran Kowalczyk Haruki Mbeki Szczesny Aoife Bjornsen Castellanos Dragomir Eszter Farouk Giannopoulos Hrvoje Ignacio Jezabel Krzysztof Llewellyn Magdalena Niamh';
const DRUGS =
  'Metoprolol Apixaban Levetiracetam Atorvastatin Lisinopril Pantoprazole Empagliflozin Semaglutide Rivaroxaban Dexamethasone Ondansetron Gabapentin Tamsulosin Clopidogrel Venlafaxine Amiodarone Bisoprolol Torasemide Quetiapine Methotrexate Adalimumab Fluticasone Montelukast Oxycodone Sertraline';
const PRODUCTS =
  'Kubernetes Grafana Terraform PostgreSQL Elasticsearch RabbitMQ Snowflake Databricks Cloudflare Splunk Zendesk Figma Airtable Notion Jenkins Ansible Prometheus Datadog Looker Tableau Mixpanel Heroku Vercel Netlify Twilio';
const CODE_WORDS =
  'Bluejay Nightingale Marigold Tamarack Obsidian Palisade Quicksilver Ravenna Sandpiper Thunderhead Umbriel Vesper Wolverine Xanadu Yellowstone Zephyr Arbalest Basilisk Chimera Driftwood Evergreen Firebrand Goldfinch Halcyon Ironwood';

const LISTS = [NAMES, DRUGS, PRODUCTS, CODE_WORDS].map((list) => list.split(' '));
export const TERMS: readonly string[] = LISTS.flat();

const SAID: readonly (readonly ((term: string) => string)[])[] = [
  [(name) => `Please ask ${name} to call me back before lunch.`, (name) => `I talked to ${name} about the contract.`],
  [(drug) => `The patient takes ${drug} every morning.`, (drug) => `We stopped ${drug} because of the side effects.`],
  [(name) => `We moved the service to ${name} last week.`, (name) => `Is there a plugin for ${name} that we can use?`],
  [(word) => `Project ${word} starts on Monday.`, (word) => `The second team works on ${word} now.`],
];

const NOT_SAID: readonly string[] = [
  'Please ask my neighbour to call me back before lunch.',
  'The patient takes two tablets every morning.',
  'We moved the whole service to another building last week.',
  'The project starts on Monday and ends in the spring.',
  'I would like to order a coffee and a piece of cake.',
  'The weather was much better than we had expected.',
  'She put the letters on the table and left the room.',
  'Can you tell me how long the train will take today?',
  'He has been looking for his keys since this morning.',
  'They painted the kitchen yellow and the door green.',
];

const VOICES = ['en-us', 'en-gb', 'en-us+f3', 'en-gb+f2', 'en-gb-scotland'] as const;

export interface Spoken {
  readonly text: string;
  /** Null when no term is said. */
  readonly term: string | null;
  readonly voice: string;
}

/** 200 sentences: one per term, alternating with sentences without a term. */
export const SENTENCES: readonly Spoken[] = Array.from({ length: 2 * TERMS.length }, (_, index) => {
  const voice = VOICES[index % VOICES.length]!;
  if (index % 2 === 1) return { text: NOT_SAID[((index - 1) / 2) % NOT_SAID.length]!, term: null, voice };
  const nth = index / 2;
  const kind = nth % LISTS.length;
  const term = LISTS[kind]![Math.floor(nth / LISTS.length)]!;
  return { text: SAID[kind]![Math.floor(nth / LISTS.length) % 2]!(term), term, voice };
});

/** Writes the sentence to a wav file in the folder; returns its path. Needs espeak-ng. */
export const speak = async ({ text, voice }: Spoken, index: number, folder: string): Promise<string> => {
  const path = join(folder, `${index}.wav`);
  await promisify(execFile)('espeak-ng', ['-v', voice, '-s', '150', '-w', path, text]);
  return path;
};
