// The form of POST /v1/transcribe: which parts it may have, and how large they may be.
import { LIMITS } from '@faircopy/contract';
import { Fault } from '../platform/fault.ts';
import { MultipartFault, MultipartParser } from './multipart.ts';

export const FORM_LIMITS = {
  partsMax: 64,
  fieldBytesMax: 4096,
  /** The file, and a generous allowance for everything around it. */
  bodyBytesMax: LIMITS.fileBytesMax + 1024 * 1024,
} as const;

const FIELDS = ['model', 'language', 'include'] as const;
export type FieldName = (typeof FIELDS)[number];
const isFieldName = (name: string): name is FieldName => (FIELDS as readonly string[]).includes(name);

export interface FormReader {
  /** A whole field; each comes once at most. */
  field(name: FieldName, value: string): void;
  /** Bytes of the audio file, in order; never none. A promise holds the caller back. */
  audio(bytes: Buffer): Promise<void> | undefined;
}

const invalid = (message: string, cause?: unknown) => new Fault('INVALID_REQUEST', { message, cause });
export const fileTooLarge = () =>
  new Fault('FILE_TOO_LARGE', { message: `The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB.` });

type Part =
  | { readonly kind: 'audio' | 'skipped' }
  | { readonly kind: 'field'; readonly name: FieldName; value: Buffer[]; bytes: number };

export class Form {
  readonly #reader: FormReader;
  readonly #parser: MultipartParser;
  readonly #seen = new Set<FieldName>();
  #part: Part = { kind: 'skipped' };
  #parts = 0;
  #bodyBytes = 0;
  #files = 0;
  #audioBytes = 0;

  constructor(boundary: string, reader: FormReader) {
    this.#parser = new MultipartParser(boundary);
    this.#reader = reader;
  }

  push(chunk: Buffer): Promise<void> | undefined {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > FORM_LIMITS.bodyBytesMax) throw fileTooLarge();
    let wait: Promise<void> | undefined;
    try {
      for (const event of this.#parser.push(chunk)) {
        if (event.kind === 'part') this.#open(event.name, event.isFile);
        else if (event.kind === 'data') wait = this.#data(event.bytes) ?? wait;
        else this.#close();
      }
    } catch (thrown) {
      throw thrown instanceof MultipartFault ? invalid(thrown.message) : thrown;
    }
    return wait;
  }

  /** To be called when the body has ended: the form must be whole, with one file that is not empty. */
  finish(): void {
    try {
      this.#parser.finish();
    } catch (thrown) {
      throw invalid((thrown as Error).message);
    }
    if (this.#files === 0) throw invalid('The form has no file in the field "audio".');
    if (this.#audioBytes === 0) throw invalid('The file in the field "audio" is empty.');
  }

  #open(name: string, isFile: boolean): void {
    this.#parts += 1;
    if (this.#parts > FORM_LIMITS.partsMax) throw invalid(`The form has more than ${FORM_LIMITS.partsMax} parts.`);
    if (isFieldName(name)) {
      // Some libraries give every part a file name; these fields are never files.
      if (this.#seen.has(name)) throw invalid(`The field "${name}" was sent more than once.`);
      this.#seen.add(name);
      this.#part = { kind: 'field', name, value: [], bytes: 0 };
    } else if (name === 'audio' || isFile) {
      this.#files += 1;
      if (this.#files > 1) throw invalid('Exactly one file is accepted per request.');
      if (name !== 'audio') throw invalid('The file must be in the field "audio".');
      this.#part = { kind: 'audio' };
    } else this.#part = { kind: 'skipped' };
  }

  #data(bytes: Buffer): Promise<void> | undefined {
    const part = this.#part;
    if (part.kind === 'audio') {
      this.#audioBytes += bytes.length;
      if (this.#audioBytes > LIMITS.fileBytesMax) throw fileTooLarge();
      return this.#reader.audio(bytes);
    }
    if (part.kind === 'field') {
      part.bytes += bytes.length;
      if (part.bytes > FORM_LIMITS.fieldBytesMax) throw invalid(`The field "${part.name}" is too long.`);
      part.value.push(bytes);
    }
    return undefined;
  }

  #close(): void {
    const part = this.#part;
    if (part.kind === 'field') this.#reader.field(part.name, Buffer.concat(part.value).toString('utf8'));
    this.#part = { kind: 'skipped' };
  }
}
