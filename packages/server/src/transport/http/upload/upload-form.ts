// A form with one file, as it arrives: parts in any order, bounded in number and size, the file passed on with back-pressure.
import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@faircopy/contract';
import { Fault } from '../../../lib/fault.ts';
import { boundaryOf, MultipartFault, MultipartParser } from './multipart.ts';

const FORM_LIMITS = {
  /** Parts that no rule of the form counts. */
  partsMax: 64,
  /** A generous allowance for everything around the file. */
  aroundFileBytesMax: 1024 * 1024,
} as const;

export const FIELD_BYTES_MAX = 4096;

export interface FieldRule {
  /** The name under which its values are kept; several spellings may share one. */
  readonly name: string;
  /** How often it may be sent. Default: once. */
  readonly countMax?: number;
  readonly bytesMax?: number;
}

/** What a form may hold. Parts that are neither the file nor a field are skipped. */
export interface FormShape {
  /** The name of the part that is the file. */
  readonly filePart: string;
  /** Largest file. Default: the contract's. */
  readonly fileBytesMax?: number;
  /** The field behind the name of a part; null when it is of no interest. */
  readonly field: (partName: string) => FieldRule | null;
  /** What is wrong with a file that begins so, in a sentence; null when nothing is. */
  readonly checkFile?: (firstBytes: Buffer) => string | null;
}

/** The fields so far. */
export class FormFields {
  readonly #values = new Map<string, string[]>();

  /** The first value. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** By name; the values of one name in the order they came. */
  sorted(): readonly (readonly [string, readonly string[]])[] {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  add(name: string, value: string): void {
    this.#values.set(name, [...this.all(name), value]);
  }
}

export interface FormSink {
  /** Bytes of the file. A promise holds the sender back. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** One more field is complete. */
  onField(fields: FormFields): void;
}

const invalid = (message: string, parameter?: string) => new Fault('INVALID_REQUEST', { message, parameter });
const fileTooLarge = (bytesMax: number) =>
  new Fault('FILE_TOO_LARGE', { message: `The file is larger than ${bytesMax / 1024 / 1024} MB.` });
const fileBytesMaxOf = ({ fileBytesMax = LIMITS.fileBytesMax }: FormShape): number => fileBytesMax;
const bodyBytesMaxOf = (shape: FormShape): number => fileBytesMaxOf(shape) + FORM_LIMITS.aroundFileBytesMax;

/** What the headers alone show to be wrong with a form. */
export const checkFormHeaders = (headers: IncomingHttpHeaders, shape: FormShape): void => {
  const { filePart } = shape;
  const contentType = headers['content-type'];
  if (boundaryOf(contentType) === null) {
    const isJson = /^application\/(\w+\+)?json\b/i.test(contentType ?? '');
    const hint = isJson
      ? `JSON is not taken: send the audio itself as the part "${filePart}".`
      : `The audio goes into the part "${filePart}".`;
    throw invalid(
      `The content type must be multipart/form-data, with the boundary that separates its parts. ${hint}`,
      filePart,
    );
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw invalid('A body with a Content-Encoding is not taken: send the form as it is.');
  if (Number(headers['content-length'] ?? 0) > bodyBytesMaxOf(shape)) throw fileTooLarge(fileBytesMaxOf(shape));
};

type Part =
  | { readonly kind: 'file' | 'skipped' }
  | { readonly kind: 'field'; readonly rule: FieldRule; readonly value: Buffer[]; bytes: number };

export class UploadForm {
  readonly #shape: FormShape;
  readonly #sink: FormSink;
  readonly #parser: MultipartParser;
  readonly #fields = new FormFields();
  readonly #counts = new Map<string, number>();
  #part: Part = { kind: 'skipped' };
  #uncountedParts = 0;
  #bodyBytes = 0;
  #files = 0;
  #fileBytes = 0;
  #fileComplaint: string | null = null;

  constructor(boundary: string, shape: FormShape, sink: FormSink) {
    this.#parser = new MultipartParser(boundary);
    this.#shape = shape;
    this.#sink = sink;
  }

  push(chunk: Buffer): Promise<void> | undefined {
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > bodyBytesMaxOf(this.#shape)) throw fileTooLarge(fileBytesMaxOf(this.#shape));
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
  finish(): FormFields {
    try {
      this.#parser.finish();
    } catch (thrown) {
      throw invalid((thrown as Error).message);
    }
    const { filePart } = this.#shape;
    if (this.#files === 0) throw invalid(`The form has no file in the field "${filePart}".`, filePart);
    if (this.#fileBytes === 0) throw invalid(`The file in the field "${filePart}" is empty.`, filePart);
    if (this.#fileComplaint !== null) throw invalid(this.#fileComplaint, filePart);
    return this.#fields;
  }

  #open(name: string, isFile: boolean): void {
    const { filePart } = this.#shape;
    const rule = this.#shape.field(name);
    this.#uncountedParts += rule === null ? 1 : 0;
    if (this.#uncountedParts > FORM_LIMITS.partsMax)
      throw invalid(`The form has more than ${FORM_LIMITS.partsMax} parts.`);
    // Some libraries give every part a file name; fields are never files.
    if (rule) this.#openField(name, rule);
    else if (name === filePart || isFile) {
      this.#files += 1;
      if (this.#files > 1) throw invalid('Exactly one file is accepted per request.', filePart);
      if (name !== filePart) throw invalid(`The file must be in the field "${filePart}".`, filePart);
      this.#part = { kind: 'file' };
    } else this.#part = { kind: 'skipped' };
  }

  #openField(partName: string, rule: FieldRule): void {
    const count = (this.#counts.get(rule.name) ?? 0) + 1;
    const countMax = rule.countMax ?? 1;
    this.#counts.set(rule.name, count);
    if (count > countMax)
      throw invalid(
        `The field "${partName}" was sent more than ${countMax === 1 ? 'once' : `${countMax} times`}.`,
        partName,
      );
    this.#part = { kind: 'field', rule, value: [], bytes: 0 };
  }

  #data(bytes: Buffer): Promise<void> | undefined {
    const part = this.#part;
    if (part.kind === 'file') {
      if (this.#fileBytes === 0) this.#fileComplaint = this.#shape.checkFile?.(bytes) ?? null;
      this.#fileBytes += bytes.length;
      const bytesMax = fileBytesMaxOf(this.#shape);
      if (this.#fileBytes > bytesMax) throw fileTooLarge(bytesMax);
      return this.#sink.write(bytes);
    }
    if (part.kind === 'field') {
      const { name, bytesMax = FIELD_BYTES_MAX } = part.rule;
      part.bytes += bytes.length;
      if (part.bytes > bytesMax) throw invalid(`The field "${name}" is too long.`, name);
      part.value.push(bytes);
    }
    return undefined;
  }

  #close(): void {
    const part = this.#part;
    this.#part = { kind: 'skipped' };
    if (part.kind !== 'field') return;
    this.#fields.add(part.rule.name, Buffer.concat(part.value).toString('utf8'));
    this.#sink.onField(this.#fields);
  }
}
