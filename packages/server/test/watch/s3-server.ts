// A small S3 server for tests: path-style objects in memory, pages of three, conditions, and signatures checked by the
// published algorithm (Signature Version 4).
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly region: string;
}

interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modified: Date;
}

const PAGE = 3;
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const escapeXml = (text: string): string => text.replace(/[<>&"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
/** Encodes names and values of a query as the algorithm requires. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns what is wrong with the signature, or null. */
const signatureFault = (request: IncomingMessage, body: Buffer, credentials: S3Credentials): string | null => {
  const { method = '', url = '', headers } = request;
  const header = (name: string) => String(headers[name] ?? '');
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    header('authorization'),
  );
  if (!given) return 'MissingSecurityHeader';
  const [, credential = '', signedNames = '', signature] = given;
  const [id, day = '', region = '', name, end] = credential.split('/');
  if (id !== credentials.accessKeyId || region !== credentials.region || name !== 's3' || end !== 'aws4_request')
    return 'InvalidAccessKeyId';
  const signed = signedNames.split(';');
  const amazon = Object.keys(headers).filter((each) => each.startsWith('x-amz-'));
  if (!['host', ...amazon].every((each) => signed.includes(each))) return 'UnsignedHeaders';
  if (header('x-amz-security-token') !== credentials.sessionToken) return 'InvalidToken';
  const payload = header('x-amz-content-sha256');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    [...new URLSearchParams(query)]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.map((each) => `${each}:${header(each).trim().replace(/\s+/g, ' ')}`),
    '',
    signedNames,
    payload,
  ].join('\n');
  const time = header('x-amz-date');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return expected === signature ? null : 'SignatureDoesNotMatch';
};

export class S3Server {
  /** By `bucket/key`. */
  readonly objects = new Map<string, Stored>();
  readonly faults: string[] = [];
  readonly #server: Server;
  readonly #credentials: S3Credentials;
  #isDown = false;

  constructor(credentials: S3Credentials) {
    this.#credentials = credentials;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown: Error) => {
        this.faults.push(thrown.message);
        response.destroy();
      });
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address);
    return `http://127.0.0.1:${address.port}`;
  }

  /** While true, every request is answered with 503. */
  set isDown(value: boolean) {
    this.#isDown = value;
  }

  put(name: string, bytes: Buffer): void {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    this.objects.set(name, { bytes, etag, modified: new Date() });
  }

  textOf(name: string): string | undefined {
    return this.objects.get(name)?.bytes.toString('utf8');
  }

  /** Names of objects, without the watcher's own state. */
  names(prefix: string): string[] {
    return [...this.objects.keys()].filter((name) => name.startsWith(prefix) && !name.includes('/.')).sort();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    if (this.#isDown) return void refuse(503, 'SlowDown');
    const fault = signatureFault(request, body, this.#credentials);
    if (fault !== null) {
      this.faults.push(`${request.method} ${request.url}: ${fault}`);
      return void refuse(403, fault);
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const name = decodeURIComponent(pathname.slice(1));
    const [bucket = '', key = ''] = [name.split('/')[0], name.slice(name.indexOf('/') + 1)];
    if (bucket !== 'calls') return void refuse(404, 'NoSuchBucket');
    if (request.method === 'GET' && (key === '' || !name.includes('/')))
      return void response.writeHead(200, { 'content-type': 'application/xml' }).end(this.#page(bucket, searchParams));
    const known = this.objects.get(name);
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    const isRefused =
      (ifMatch !== undefined && known?.etag !== ifMatch) || (ifNoneMatch === '*' && known !== undefined);
    if (request.method !== 'PUT' && known === undefined) return void refuse(404, 'NoSuchKey');
    if (isRefused) return void refuse(412, 'PreconditionFailed');
    if (request.method === 'PUT') this.put(name, body);
    if (request.method === 'DELETE') this.objects.delete(name);
    const stored = this.objects.get(name) ?? known!;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    response.writeHead(request.method === 'DELETE' ? 204 : 200, {
      etag: stored.etag,
      ...(isRead && { 'content-length': stored.bytes.length, 'last-modified': stored.modified.toUTCString() }),
    });
    response.end(request.method === 'GET' ? stored.bytes : '');
  }

  #page(bucket: string, query: URLSearchParams): string {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = query.get('continuation-token') ?? '';
    const left = [...this.objects]
      .filter(([name]) => name.startsWith(prefix) && name > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const page = left.slice(0, PAGE);
    const contents = page.map(
      ([name, { bytes, etag, modified }]) =>
        `<Contents><Key>${escapeXml(name.slice(bucket.length + 1))}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${escapeXml(etag)}</ETag><Size>${bytes.length}</Size></Contents>`,
    );
    const isTruncated = left.length > PAGE;
    const next = isTruncated ? `<NextContinuationToken>${escapeXml(page.at(-1)![0])}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  }
}
