// The form of POST /v1/transcribe: its fields and its file, as they arrive in any order.

import type { IncomingHttpHeaders } from 'node:http';
import { type Include, isModelId, LIMITS, MODEL_IDS, parseInclude } from '@faircopy/contract';
import type { Upload } from '../calls/upload.ts';
import { Fault } from '../platform/fault.ts';
import { boundaryOf, MultipartFault, MultipartParser } from './multipart.ts';

export const FORM_LIMITS = {
  partsMax: 64,
  fieldBytesMax: 4096,
  /** The file, and a generous allowance for everything around it. */
  bodyBytesMax: LIMITS.fileBytesMax + 1024 * 1024,
} as const;

const FIELDS = ['model', 'language', 'include'] as const;
type FieldName = (typeof FIELDS)[number];
const isFieldName = (name: string): name is FieldName => (FIELDS as readonly string[]).includes(name);

const invalid = (message: string, cause?: unknown) => new Fault('INVALID_REQUEST', { message, cause });
const fileTooLarge = () =>
  new Fault('FILE_TOO_LARGE', { message: `The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB.` });

/** What the headers alone show to be wrong with a form. */
export const checkFormHeaders = (headers: IncomingHttpHeaders): void => {
  if (boundaryOf(headers['content-type']) === null)
    throw invalid('The content type must be multipart/form-data, with the boundary that separates its parts.');
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw invalid('A body with a Content-Encoding is not taken: send the form as it is.');
  if (Number(headers['content-length'] ?? 0) > FORM_LIMITS.bodyBytesMax) throw fileTooLarge();
};

type Part =
  | { readonly kind: 'audio' | 'skipped' }
  | { readonly kind: 'field'; readonly name: FieldName; value: Buffer[]; bytes: number };

export class TranscribeForm {
  readonly #upload: Upload;
  readonly #parser: MultipartParser;
  readonly #fields = new Map<FieldName, string>();
  readonly #seen = new Set<FieldName>();
  #part: Part = { kind: 'skipped' };
  #parts = 0;
  #bodyBytes = 0;
  #files = 0;
  #audioBytes = 0;

  constructor(boundary: string, upload: Upload) {
    this.#parser = new MultipartParser(boundary);
    this.#upload = upload;
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

  /**
   * To be called when the body has ended: the form must be whole, with one file that is not empty. What is wrong with its
   * fields comes before what is wrong with the audio.
   */
  finish(): ReadonlySet<Include> {
    try {
      this.#parser.finish();
    } catch (thrown) {
      throw invalid((thrown as Error).message);
    }
    if (this.#files === 0) throw invalid('The form has no file in the field "audio".');
    if (this.#audioBytes === 0) throw invalid('The file in the field "audio" is empty.');
    const models = MODEL_IDS.join(', ');
    if (!this.#fields.has('model')) throw invalid(`The field "model" is missing. It is one of ${models}.`);
    if (!isModelId(this.#fields.get('model'))) throw invalid(`The field "model" must be one of ${models}.`);
    const include = parseInclude(this.#fields.get('include'));
    if (include === null) throw invalid('The field "include" may name segments, words, raw and edits.');
    return include;
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
      return this.#upload.write(bytes);
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
    this.#part = { kind: 'skipped' };
    if (part.kind !== 'field') return;
    this.#fields.set(part.name, Buffer.concat(part.value).toString('utf8'));
    this.#configure();
  }

  /** Tells the upload what is asked as far as it is known, so that recognition starts while the file arrives. */
  #configure(): void {
    const model = this.#fields.get('model');
    const include = parseInclude(this.#fields.get('include'));
    if (model === undefined) return;
    if (!isModelId(model) || include === null) {
      this.#upload.discard();
      return;
    }
    this.#upload.configure({
      model,
      languageHint: this.#fields.get('language') || undefined,
      wantWordTimes: include.has('words'),
    });
  }
}
