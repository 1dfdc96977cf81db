// The model catalogue: the family, files, checksums, licence and sources of each model.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const plainName = z.string().regex(/^[\w.-]+$/);
const catalogueFile = z.strictObject({
  /** Name in the model's folder of the store. */
  name: plainName,
  /** About right if there is no checksum. */
  bytes: z.int().positive(),
  /** Without one, the first pull records it. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Path inside the npm tarball. */
  npmPath: z.string().optional(),
  /** Where the bytes lie when they are a part of the file at `npmPath`, and the size of that file. */
  npmRange: z.strictObject({ offset: z.int().nonnegative(), fileBytes: z.int().positive() }).optional(),
  /** Path inside the hub's repository. */
  hubPath: z.string().optional(),
  /** A URL that serves exactly these bytes. */
  url: z.url().optional(),
});

const catalogueModel = z.strictObject({
  id: plainName,
  /** The code that runs it: a family of acoustic models, or `silero` for voice activity detection. */
  family: plainName,
  about: z.string(),
  licence: z.string(),
  /** Left out where the model knows by itself, as multilingual Whispers do. */
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/))
    .min(1)
    .optional(),
  /** What it does in a tier that an operator chooses it for; without one, it cannot be chosen. */
  role: z.enum(['reader', 'multilingual', 'second-english']).optional(),
  /**
   * Origin of the checksums: `checked` against the bytes by us, or `published` identically in several places. In both
   * cases, no file enters the store that does not match. `recorded`: by the first pull.
   */
  pins: z.enum(['checked', 'published', 'recorded']),
  npm: z.strictObject({ package: z.string(), version: z.string() }).optional(),
  hub: z.strictObject({ repository: z.string(), revision: z.string().regex(/^([0-9a-f]{40}|main)$/) }).optional(),
  files: z.array(catalogueFile).min(1),
});

export type CatalogueFile = z.infer<typeof catalogueFile>;
export type CatalogueModel = z.infer<typeof catalogueModel>;
export type Catalogue = readonly CatalogueModel[];

export const parseCatalogue = (json: string): Catalogue =>
  z.strictObject({ models: z.array(catalogueModel) }).parse(JSON.parse(json)).models;

export const readCatalogue = (): Catalogue =>
  parseCatalogue(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'));

export const modelBytes = (model: CatalogueModel): number => model.files.reduce((sum, file) => sum + file.bytes, 0);
