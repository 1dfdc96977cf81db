// `faircopy receipts`: signed receipts and exports of the ledger, made here and checked anywhere.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { InvalidArgumentError, Option } from 'commander';
import type { Jwk } from '../../usage/receipts/jws.ts';
import type { VerifiedExport, VerifiedReceipt } from '../../usage/receipts/verify.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { formatTable, harmless, isoOrNull, print, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface VerifyOptions {
  readonly keys?: string;
  readonly keyId?: string;
  readonly json?: boolean;
}

/** Needs neither the server nor its database. */
const verify = async (file: string, options: VerifyOptions): Promise<void> => {
  const { VerificationError } = await import('../../usage/receipts/verify.ts');
  try {
    const trusted = options.keys === undefined ? undefined : await trustedKeys(options.keys);
    const found = await verified(file, trusted);
    const keyIds = 'receipt' in found ? [found.keyId] : found.keyIds;
    const stranger = options.keyId === undefined ? undefined : keyIds.find((id) => id !== options.keyId);
    if (stranger !== undefined)
      throw new VerificationError(`It is signed by the key ${stranger}, not by the one you named.`);
    const isTrusted = options.keys !== undefined || options.keyId !== undefined;
    if (options.json) return void (await print(`${JSON.stringify({ genuine: true, trusted: isTrusted, ...found })}\n`));
    await print(`${'receipt' in found ? receiptSentence(found) : exportSentence(found)}\n`);
    for (const id of keyIds) await print(`Signed by the key ${id}.\n`);
    if (!isTrusted)
      console.error('That key came with the file. Compare it with the server’s own: --keys FILE or --key-id ID.');
  } catch (thrown) {
    const isForged = thrown instanceof VerificationError;
    const message = harmless((thrown as Error).message);
    if (options.json) await print(`${JSON.stringify({ genuine: false, fault: message })}\n`);
    else console.error(message);
    process.exitCode = isForged ? EXIT.dataError : EXIT.usage;
  }
};

const verified = async (
  file: string,
  trusted: ReadonlyMap<string, Jwk> | undefined,
): Promise<VerifiedReceipt | VerifiedExport> => {
  const { verifyExport, verifyReceipt } = await import('../../usage/receipts/verify.ts');
  const path = file === '-' ? '/dev/stdin' : file;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  const failed = new Promise<never>((_resolve, reject) => {
    // readline passes the failures of its input on to nobody.
    (lines as unknown as { input: NodeJS.ReadableStream }).input.once('error', reject);
  });
  const iterator = lines[Symbol.asyncIterator]();
  const first = await Promise.race([iterator.next(), failed]);
  failed.catch(() => {});
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  try {
    if (!first.done && /^[\w-]+\./.test(first.value.trim())) return verifyReceipt(first.value, trusted);
    return await verifyExport(all(), trusted);
  } finally {
    lines.close();
  }
};

/** A JSON Web Key Set, as the server publishes it. */
const trustedKeys = async (file: string): Promise<ReadonlyMap<string, Jwk>> => {
  const { publicKeySet } = await import('@faircopy/contract');
  const { keys } = publicKeySet.parse(JSON.parse(await readFile(file, 'utf8')));
  return new Map(keys.map((key) => [key.kid, key]));
};

const receiptSentence = ({ receipt: { record, link } }: VerifiedReceipt): string =>
  `A genuine receipt: request ${record.request_id} of ${record.created_at}, ${harmless(record.status)}, ` +
  `${record.billed_audio_seconds} s billed${link.seq === 0 ? '' : `, row ${link.seq} of its account`}.`;

const exportSentence = ({ rows, fromSeq, toSeq, requests, billedSeconds, exportedAt }: VerifiedExport): string =>
  `A genuine export of ${exportedAt}: ${rows} rows${toSeq === 0 ? '' : ` (${fromSeq} to ${toSeq})`}, ` +
  `${requests} requests, ${billedSeconds} s billed. None is missing, altered or out of place.`;

const get = (requestId: string, { account: name }: { account: string }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { issueReceipt }, { ReceiptSigner }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../usage/receipts/receipt.ts'),
      import('../../usage/receipts/signing-keys.ts'),
    ]);
    const { id: accountId } = await accountNamed(storage.read, name);
    const signer = new ReceiptSigner(storage);
    await print(`${await issueReceipt({ storage, signer }, { accountId, requestId })}\n`);
  });

const exportAll = (options: { account: string; from?: number; to?: number }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { exportLines }, { ReceiptSigner }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../usage/receipts/export.ts'),
      import('../../usage/receipts/signing-keys.ts'),
    ]);
    const { id: accountId } = await accountNamed(storage.read, options.account);
    const range = { accountId, fromSeq: options.from, toSeq: options.to };
    for await (const lines of exportLines({ storage, signer: new ReceiptSigner(storage) }, range))
      if (!(await print(lines))) return;
  });

const keys = (options: { json?: boolean; jwks?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { listReceiptKeys, ReceiptSigner } = await import('../../usage/receipts/signing-keys.ts');
    const published = await new ReceiptSigner(storage).published();
    if (options.jwks) return void (await print(`${JSON.stringify(published, null, 2)}\n`));
    const listed = await listReceiptKeys(storage.write);
    const text = options.json
      ? `${JSON.stringify(
          listed.map((key) => ({
            id: key.id,
            created_at: isoOrNull(key.created_at_ms),
            retired_at: isoOrNull(key.retired_at_ms),
          })),
          null,
          2,
        )}\n`
      : formatTable(
          listed,
          [
            { title: 'id', value: ({ id }) => id },
            { title: 'created', value: (key) => shortTime(key.created_at_ms) },
            { title: 'retired', value: (key) => shortTime(key.retired_at_ms) },
          ],
          process.stdout.isTTY,
        );
    await print(text);
  });

const rotate = (): Promise<void> =>
  withStorage(async (storage) => {
    const { rotateKey } = await import('../../usage/receipts/signing-keys.ts');
    await print(`${await rotateKey(storage)}\n`);
    console.error('This key signs from now on, within seconds on running servers. Older ones stay published.');
  });

const place = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write the number of a row, from 1.');
  return Number(text);
};

export const addReceipts: AddCommand = (program) => {
  const receipts = program.command('receipts').description('signed receipts of the usage ledger');
  receipts
    .command('verify')
    .argument('<file>', 'a receipt or an export; - for standard input')
    .description('check a receipt or an export, without the server')
    .option('--keys <file>', 'the keys you trust: the server’s /.well-known/jwks.json, saved')
    .addOption(new Option('--key-id <id>', 'the one key you trust').conflicts('keys'))
    .option('--json', 'what was found as JSON')
    .action(verify);
  receipts
    .command('get')
    .argument('<request-id>')
    .description('the signed receipt of one request')
    .requiredOption('--account <name>', 'whose request')
    .action(get);
  receipts
    .command('export')
    .description('every row of an account, signed, in the order of its chain')
    .requiredOption('--account <name>', 'whose rows')
    .option('--from <row>', 'the first row', place)
    .option('--to <row>', 'the last row', place)
    .action(exportAll);
  receipts
    .command('keys')
    .description('the keys that sign, the newest first')
    .option('--jwks', 'as the set of public keys that --keys takes')
    .option('--json', 'as JSON')
    .action(keys);
  receipts.command('rotate-key').description('sign with a new key from now on').action(rotate);
};
