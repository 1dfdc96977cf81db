// The operator's choice of models for tiers and speakers, set by `faircopy models use` and kept in the model store.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import type { TierId } from '../recogniser.ts';
import { type SpeakerEmbedding, speakerEmbeddings } from '../speakers/embeddings/embedding.ts';
import { SPEAKER_WEIGHTS } from '../speakers/families.ts';
import type { Catalogue, CatalogueModel } from '../store/catalogue.ts';
import { writeJsonAtomically } from '../store/files.ts';
import { TIERS, type Tier, type TierTable } from './tiers.ts';

/** Key for all languages of the model. */
const ALL = '*';
const FILE = 'tiers.json';

const SPEAKERS = 'speakers';

/** `live`: the English model of live captions. `vote`: the second English model, which votes. */
const PLACES = ['live', 'vote'] as const;
const LANGUAGE = /^[a-z]{2,3}$/;

const byLanguage = z.record(z.union([z.literal(ALL), z.enum(PLACES), z.string().regex(LANGUAGE)]), z.string());
const chosenModels = z.strictObject({
  ...(Object.fromEntries(MODEL_IDS.map((tier) => [tier, byLanguage.optional()])) as Record<
    TierId,
    z.ZodOptional<typeof byLanguage>
  >),
  /** The embedding model. */
  [SPEAKERS]: z.string().optional(),
});
/** Model ids by tier and language. */
export type ChosenModels = Readonly<z.infer<typeof chosenModels>>;

/** An invalid choice. The message says what is valid. */
export class InvalidChoice extends Error {
  override readonly name = 'InvalidChoice';
}

export type Choice =
  | TierChoice
  /** Null: the default embedding model. */
  | { readonly speakers: string | null };

interface TierChoice {
  readonly tier: TierId;
  /** A language, `live` or `vote`. Null: all languages of the model. */
  readonly language: string | null;
  /** Null: the default model. */
  readonly model: string | null;
}

const DEFAULT = 'default';

const isLanguageOrPlace = (name: string | null): boolean =>
  name !== null && (LANGUAGE.test(name) || PLACES.some((place) => place === name));

/** `svc-1.0-max=MODEL`, `max.de=MODEL`, `max.live=MODEL`, `max=default` or `speakers=MODEL`. */
export const parseChoice = (text: string): Choice => {
  const equals = text.indexOf('=');
  const [place, model] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals < 1 || model === '') throw new InvalidChoice(`"${text}" is not TIER=MODEL or TIER.LANGUAGE=MODEL.`);
  const chosen = model === DEFAULT ? null : model;
  if (place === SPEAKERS) return { speakers: chosen };
  for (const tier of MODEL_IDS) {
    for (const name of [tier, tier.slice(tier.lastIndexOf('-') + 1)]) {
      const language = place.startsWith(`${name}.`) ? place.slice(name.length + 1) : null;
      if (place !== name && !isLanguageOrPlace(language)) continue;
      return { tier, language, model: chosen };
    }
  }
  throw new InvalidChoice(
    `"${place}" is not a tier, a tier and a language, or "${SPEAKERS}". The tiers are ${MODEL_IDS.join(', ')}.`,
  );
};

const modelOf = (catalogue: Catalogue, id: string): CatalogueModel & { readonly role: string } => {
  const usable = catalogue.filter((model): model is CatalogueModel & { role: string } => 'role' in model);
  const found = usable.find((model) => model.id === id);
  if (found) return found;
  throw new InvalidChoice(
    `"${id}" cannot be used for a tier. These can: ${usable.map((model) => model.id).join(', ')}.`,
  );
};

const requireLanguage = (language: string, { id, languages }: CatalogueModel): void => {
  if (languages && !languages.includes(language))
    throw new InvalidChoice(`${id} does not support "${language}". It supports ${languages.join(', ')}.`);
};

/** Keeps the thresholds of the model that it replaces. */
const withLive = (tier: Tier, model: CatalogueModel): Tier => {
  requireLanguage('en', model);
  const { englishNeutral, trust } = tier.captions ?? tier;
  return { ...tier, captions: { english: model.id, englishNeutral, trust } };
};

const withVoter = (tier: Tier, model: CatalogueModel): Tier => {
  requireLanguage('en', model);
  if (tier.secondEnglish === null) throw new InvalidChoice('Only the max tier votes: choose "max.vote".');
  const { secondEnglish: usual } = tier.weights;
  return {
    ...tier,
    secondEnglish: model.id,
    weights: { ...tier.weights, secondEnglish: model.voteWeight ?? usual },
  };
};

const withReader = (tier: Tier, language: string, model: CatalogueModel): Tier => {
  requireLanguage(language, model);
  const { id } = model;
  return { ...tier, readers: { ...tier.readers, [language]: id } };
};

/** Puts the model into the role that the catalogue gives it. */
const withModel = (tier: Tier, model: CatalogueModel & { readonly role: string }): Tier => {
  const { id, role, languages = [] } = model;
  if (role === 'multilingual')
    return { ...tier, multilingual: id, detector: id, detectorSecondsMin: 0, secondDetector: id };
  if (role === 'live') return withLive(tier, model);
  if (role === 'second-english' && tier.secondEnglish !== null) return withVoter(tier, model);
  return languages.reduce((changed, language) => withReader(changed, language, model), tier);
};

export const tiersWith = (chosen: ChosenModels, catalogue: Catalogue, table: TierTable = TIERS): TierTable => {
  const changed: Record<TierId, Tier> = { ...table };
  for (const tier of MODEL_IDS) {
    const { [ALL]: forAll, live, vote, ...byLanguage } = chosen[tier] ?? {};
    if (forAll !== undefined) changed[tier] = withModel(changed[tier], modelOf(catalogue, forAll));
    if (live !== undefined) changed[tier] = withLive(changed[tier], modelOf(catalogue, live));
    if (vote !== undefined) changed[tier] = withVoter(changed[tier], modelOf(catalogue, vote));
    for (const [language, id] of Object.entries(byLanguage))
      changed[tier] = withReader(changed[tier], language, modelOf(catalogue, id));
  }
  return changed;
};

/** The embedding model of this machine. */
export const embeddingWith = ({ speakers = SPEAKER_WEIGHTS.embedding }: ChosenModels, catalogue: Catalogue) => {
  const usable = speakerEmbeddings(catalogue);
  const found = usable.find(({ id }) => id === speakers);
  if (found) return found;
  throw new InvalidChoice(
    `"${speakers}" cannot be used for speakers. These can: ${usable.map(({ id }) => id).join(', ')}.`,
  );
};

export const chosenEmbedding = (modelsDir: string, catalogue: Catalogue): SpeakerEmbedding =>
  embeddingWith(readChosenModels(modelsDir), catalogue);

/** The choices for `live` and `vote`. */
const liveAndVoteOf = (of: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(of).filter(([place]) => PLACES.some((each) => each === place)));

export const withChoice = (chosen: ChosenModels, choice: Choice): ChosenModels => {
  if ('speakers' in choice) return { ...chosen, speakers: choice.speakers ?? undefined };
  const { tier, language, model } = choice;
  const place = language ?? ALL;
  const { [place]: _before, ...others } = chosen[tier] ?? {};
  // A model for all languages replaces the models of single languages.
  if (language === null)
    return { ...chosen, [tier]: model === null ? {} : { ...liveAndVoteOf(chosen[tier]), [ALL]: model } };
  return { ...chosen, [tier]: model === null ? others : { ...others, [place]: model } };
};

export const readChosenModels = (modelsDir: string): ChosenModels => {
  const path = join(modelsDir, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    // A store that does not exist has no choices; opening it reports the problem.
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return {};
    throw cause;
  }
  try {
    return chosenModels.parse(JSON.parse(text));
  } catch (cause) {
    throw new InvalidChoice(`${path} is not valid: delete it, then run "faircopy models use" again.`, { cause });
  }
};

export const writeChosenModels = async (modelsDir: string, chosen: ChosenModels): Promise<void> => {
  await mkdir(modelsDir, { recursive: true });
  await writeJsonAtomically(join(modelsDir, FILE), chosen);
};

/** The tiers of this machine. FAIRCOPY_MAX_WHISPER overrides the choices in the store. */
export const configuredTiers = (
  { modelsDir, maxWhisper }: { readonly modelsDir: string; readonly maxWhisper: string },
  catalogue: Catalogue,
): TierTable => {
  const table = tiersWith(readChosenModels(modelsDir), catalogue);
  return maxWhisper === TIERS['svc-1.0-max'].multilingual
    ? table
    : tiersWith({ 'svc-1.0-max': { [ALL]: maxWhisper } }, catalogue, table);
};
