// Access to the objects below a prefix of a bucket, on an S3-compatible service.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';

export interface ListedObject {
  /** The name within the prefix. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly etag: string;
}

/** A write or read whose condition was not met. */
export class ConditionFailed extends Error {}

/** The condition of a write: the object does not exist, or still has this ETag. */
export type Condition = { readonly ifNoneMatch: '*' } | { readonly ifMatch: string };

const NOT_FOUND = 404;
/** 409: another write with a condition is under way. */
const CONDITION_FAILED: readonly (number | undefined)[] = [409, 412];

const statusOf = (thrown: unknown): number | undefined =>
  (thrown as Partial<S3ServiceException>).$metadata?.httpStatusCode;

const orConditionFailed = (thrown: unknown): never => {
  throw CONDITION_FAILED.includes(statusOf(thrown)) ? new ConditionFailed(undefined, { cause: thrown }) : thrown;
};

const orNullWhenAbsent = (thrown: unknown): null => {
  if (statusOf(thrown) === NOT_FOUND && (thrown as Error).name !== 'NoSuchBucket') return null;
  throw thrown;
};

export class BucketPrefix {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(client: S3Client, bucket: string, prefix: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  addressOf(name: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${name}`;
  }

  async *list(within: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: `${this.#prefix}${within}`,
        ContinuationToken: token,
      });
      const page = await this.#client.send(command, { ...(signal && { abortSignal: signal }) });
      for (const { Key = '', Size = 0, LastModified, ETag = '' } of page.Contents ?? [])
        yield {
          name: Key.slice(this.#prefix.length),
          bytes: Size,
          modifiedMs: LastModified?.getTime() ?? 0,
          etag: ETag,
        };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Null when there is no such object. Rejects with ConditionFailed when it has another ETag. */
  async get(name: string, { etag, signal }: { readonly etag?: string; readonly signal?: AbortSignal } = {}) {
    const command = new GetObjectCommand({ ...this.#object(name), ...(etag !== undefined && { IfMatch: etag }) });
    const answer = await this.#client
      .send(command, { ...(signal && { abortSignal: signal }) })
      .catch(orConditionFailed)
      .catch(orNullWhenAbsent);
    if (!answer?.Body) return null;
    return { body: answer.Body, etag: answer.ETag ?? '' };
  }

  /** Null when there is no such object. */
  async etagOf(name: string): Promise<string | null> {
    const answer = await this.#client.send(new HeadObjectCommand(this.#object(name))).catch(orNullWhenAbsent);
    return answer?.ETag ?? null;
  }

  /** Resolves to the ETag. Rejects with ConditionFailed. */
  async put(name: string, text: string, type: string, condition?: Condition): Promise<string> {
    const command = new PutObjectCommand({
      ...this.#object(name),
      Body: text,
      ContentType: type,
      ...(condition && ('ifMatch' in condition ? { IfMatch: condition.ifMatch } : { IfNoneMatch: '*' })),
    });
    return (await this.#client.send(command).catch(orConditionFailed)).ETag ?? '';
  }

  async delete(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(name)));
  }

  close(): void {
    this.#client.destroy();
  }

  #object(name: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` };
  }
}

/** Opens `s3://bucket/prefix`. Keys and region come from the AWS_* variables, files or roles that AWS's tools use. */
export const openBucket = (address: string, endpointOption: string | undefined): BucketPrefix => {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  if (bucket === '') throw new Error('An address of a bucket is s3://bucket or s3://bucket/prefix.');
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const endpoint = endpointOption || AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  const region = AWS_REGION || AWS_DEFAULT_REGION || (endpoint && 'us-east-1');
  const client = new S3Client({
    ...(region && { region }),
    // Services other than AWS seldom have a host name per bucket, and may not support the newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new BucketPrefix(client, bucket, path === '' || path.endsWith('/') ? path : `${path}/`);
};
