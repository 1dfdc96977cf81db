// A form with one file, parsed as it arrives: parts in any order, limits on number and size, back-pressure on files.
import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@faircopy/contract';
import { asFault, Fault, invalidRequest } from '../../../lib/fault.ts';
import { boundaryOf, MultipartFault, MultipartParser } from './multipart.ts';

const FORM_LIMITS = {
  /** Parts that are not fields of the form. */
  partsMax: 64,
  /** Everything around the file. */
  aroundFileBytesMax: 1024 * 1024,
  fieldBytesMax: 4096,
} as const;

export interface FieldRule<Values> {
  /** The name under which its values are kept; several spellings may share one. */
  readonly name: string;
  /** How often it may be sent. Default: once. */
  readonly countMax?: number;
  readonly bytesMax?: number;
  /** The change that one value makes. Throws a Fault when the value is not valid. */
  readonly parse: (text: string, values: Values) => Partial<Values>;
}

export const booleanFieldOf = (text: string, field: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidRequest(`The field "${field}" must be true or false.`, field);
};

/** What a form may contain. Parts that are neither the file nor a field are skipped. */
export interface FormShape<Values> {
  readonly filePart: string;
  /** Default: the contract's limit. */
  readonly fileBytesMax?: number;
  /** Bytes of everything around the file. Default: 1 MB. */
  readonly aroundFileBytesMax?: number;
  /** The values of a form without fields. */
  readonly initial: Values;
  /** The field for a part name; null when the part is not a field. */
  readonly field: (partName: string) => FieldRule<Values> | null;
  /** The change made by a part that is neither the file nor a field. */
  readonly onSkipped?: (partName: string, values: Values) => Partial<Values>;
  /** A message about what is wrong with a file that starts with these bytes; null when nothing is. */
  readonly checkFile?: (firstBytes: Buffer) => string | null;
}

/** Field values as sent, by name. */
export type RawFields = ReadonlyMap<string, readonly string[]>;

export interface FormSink<Values> {
  /** Bytes of the file. A returned promise applies back-pressure. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Called with the values so far, once for all fields that arrive together, and before bytes of the file that follow them. */
  onValues?(values: Values): void;
  /** Called when a field is not valid, so that the form will fail. */
  onInvalid?(): void;
}

export const fileTooLarge = (bytesMax: number): Fault =>
  new Fault('FILE_TOO_LARGE', { message: `The file is larger than ${bytesMax / 1024 / 1024} MB.` });

type Sizes = Pick<FormShape<unknown>, 'filePart' | 'fileBytesMax' | 'aroundFileBytesMax'>;
const fileBytesMaxOf = ({ fileBytesMax = LIMITS.fileBytesMax }: Sizes): number => fileBytesMax;
const bodyBytesMaxOf = (shape: Sizes): number =>
  fileBytesMaxOf(shape) + (shape.aroundFileBytesMax ?? FORM_LIMITS.aroundFileBytesMax);

/** Throws for faults that the headers alone reveal. */
export const checkFormHeaders = (headers: IncomingHttpHeaders, shape: Sizes): void => {
  const { filePart } = shape;
  const contentType = headers['content-type'];
  if (boundaryOf(contentType) === null) {
    const isJson = /^application\/(\w+\+)?json\b/i.test(contentType ?? '');
    const hint = isJson
      ? `JSON is not accepted: send the audio itself as the part "${filePart}".`
      : `Send the audio as the part "${filePart}".`;
    throw invalidRequest(`The content type must be multipart/form-data with a boundary parameter. ${hint}`, filePart);
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw invalidRequest('A Content-Encoding is not accepted: send the form as it is.');
  if (Number(headers['content-length'] ?? 0) > bodyBytesMaxOf(shape)) throw fileTooLarge(fileBytesMaxOf(shape));
};

type Part<Values> =
  | { readonly kind: 'file' | 'skipped' }
  | { readonly kind: 'field'; readonly rule: FieldRule<Values>; readonly chunks: Buffer[]; bytes: number };

export class UploadForm<Values> {
  readonly #shape: FormShape<Values>;
  readonly #sink: FormSink<Values>;
  readonly #parser: MultipartParser;
  readonly #raw = new Map<string, string[]>();
  readonly #counts = new Map<string, number>();
  #values: Values;
  #fieldFault: Fault | undefined;
  #part: Part<Values> = { kind: 'skipped' };
  #hasNewValues = false;
  #otherParts = 0;
  #bodyBytes = 0;
  #files = 0;
  #fileBytes = 0;
  #fileProblem: string | null = null;

  constructor(boundary: string, shape: FormShape<Values>, sink: FormSink<Values>) {
    this.#parser = new MultipartParser(boundary);
    this.#shape = shape;
    this.#sink = sink;
    this.#values = shape.initial;
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
      this.#announceValues();
    } catch (thrown) {
      throw thrown instanceof MultipartFault ? invalidRequest(thrown.message) : thrown;
    }
    return wait;
  }

  /** Call at the end of the body. Throws unless the form is complete and has one file that is not empty. */
  finish(): void {
    try {
      this.#parser.finish();
    } catch (thrown) {
      throw invalidRequest((thrown as Error).message);
    }
    const { filePart } = this.#shape;
    if (this.#files === 0) throw invalidRequest(`The form has no file in the field "${filePart}".`, filePart);
    if (this.#fileBytes === 0) throw invalidRequest(`The file in the field "${filePart}" is empty.`, filePart);
    if (this.#fileProblem !== null) throw invalidRequest(this.#fileProblem, filePart);
  }

  get rawFields(): RawFields {
    return this.#raw;
  }

  /** The parsed fields. Throws the first field's Fault when one is not valid. */
  values(): Values {
    if (this.#fieldFault) throw this.#fieldFault;
    return this.#values;
  }

  #open(name: string, isFile: boolean): void {
    const { filePart } = this.#shape;
    const rule = this.#shape.field(name);
    this.#otherParts += rule === null ? 1 : 0;
    if (this.#otherParts > FORM_LIMITS.partsMax)
      throw invalidRequest(`The form has more than ${FORM_LIMITS.partsMax} parts.`);
    // Some libraries give every part a file name; a field is never a file.
    if (rule) this.#openField(name, rule);
    else if (name === filePart || isFile) {
      this.#files += 1;
      if (this.#files > 1) throw invalidRequest('Exactly one file is accepted per request.', filePart);
      if (name !== filePart) throw invalidRequest(`The file must be in the field "${filePart}".`, filePart);
      this.#part = { kind: 'file' };
    } else {
      this.#part = { kind: 'skipped' };
      this.#values = { ...this.#values, ...this.#shape.onSkipped?.(name, this.#values) };
    }
  }

  #openField(partName: string, rule: FieldRule<Values>): void {
    const count = (this.#counts.get(rule.name) ?? 0) + 1;
    const countMax = rule.countMax ?? 1;
    this.#counts.set(rule.name, count);
    if (count > countMax) {
      const times = countMax === 1 ? 'once' : `${countMax} times`;
      throw invalidRequest(`The field "${partName}" was sent more than ${times}.`, partName);
    }
    this.#part = { kind: 'field', rule, chunks: [], bytes: 0 };
  }

  #data(bytes: Buffer): Promise<void> | undefined {
    const part = this.#part;
    if (part.kind === 'file') {
      this.#announceValues();
      if (this.#fileBytes === 0) this.#fileProblem = this.#shape.checkFile?.(bytes) ?? null;
      this.#fileBytes += bytes.length;
      const bytesMax = fileBytesMaxOf(this.#shape);
      if (this.#fileBytes > bytesMax) throw fileTooLarge(bytesMax);
      return this.#sink.write(bytes);
    }
    if (part.kind === 'field') {
      const { name, bytesMax = FORM_LIMITS.fieldBytesMax } = part.rule;
      part.bytes += bytes.length;
      if (part.bytes > bytesMax) throw invalidRequest(`The field "${name}" is too long.`, name);
      part.chunks.push(bytes);
    }
    return undefined;
  }

  #close(): void {
    const part = this.#part;
    this.#part = { kind: 'skipped' };
    if (part.kind !== 'field') return;
    const { name, parse } = part.rule;
    const text = Buffer.concat(part.chunks).toString('utf8');
    this.#raw.set(name, [...(this.#raw.get(name) ?? []), text]);
    if (this.#fieldFault) return;
    try {
      this.#values = { ...this.#values, ...parse(text, this.#values) };
    } catch (thrown) {
      this.#fieldFault = asFault(thrown);
      this.#sink.onInvalid?.();
      return;
    }
    this.#hasNewValues = true;
  }

  /** Fields that arrive together are announced together: each announcement may start another reading of the file. */
  #announceValues(): void {
    if (!this.#hasNewValues) return;
    this.#hasNewValues = false;
    this.#sink.onValues?.(this.#values);
  }
}
