// `faircopy receipts`: issues signed receipts and exports of the ledger, and verifies them without the server.
import { readFile, stat } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import type { VerifiedArchive } from '../../usage/archive/archive-files.ts';
import type { Jwk } from '../../usage/receipts/jws.ts';
import type { VerifiedExport, VerifiedReceipt, VerifiedReceipts } from '../../usage/receipts/verify.ts';
import { wholeNumber } from '../arguments.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { isoOrNull, print, printJson, printTable, sanitise, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

interface VerifyOptions {
  readonly keys?: string;
  readonly keyId?: string;
  readonly json?: boolean;
}

const verify = async (file: string, options: VerifyOptions): Promise<void> => {
  const { VerificationError } = await import('../../usage/receipts/verify.ts');
  try {
    const trusted = options.keys === undefined ? undefined : await trustedKeys(options.keys);
    const found = await verified(file, trusted);
    const keyIds = 'receipt' in found ? [found.keyId] : found.keyIds;
    const otherKey = options.keyId === undefined ? undefined : keyIds.find((id) => id !== options.keyId);
    if (otherKey !== undefined)
      throw new VerificationError(`It is signed with the key ${otherKey}, not with the one you named.`);
    const isTrusted = options.keys !== undefined || options.keyId !== undefined;
    if (options.json) return void (await print(`${JSON.stringify({ genuine: true, trusted: isTrusted, ...found })}\n`));
    await print(`${sentenceOf(found)}\n`);
    for (const id of keyIds) await print(`Signed with the key ${id}.\n`);
    if (!isTrusted)
      console.error('The key came with the file. Compare it with the key of the server: --keys FILE or --key-id ID.');
  } catch (thrown) {
    const isForged = thrown instanceof VerificationError;
    const message = sanitise((thrown as Error).message);
    if (options.json) await print(`${JSON.stringify({ genuine: false, fault: message })}\n`);
    else console.error(message);
    process.exitCode = isForged ? EXIT.dataError : EXIT.usage;
  }
};

type Verified = VerifiedReceipt | VerifiedReceipts | VerifiedExport | VerifiedArchive;

const verified = async (file: string, trusted: ReadonlyMap<string, Jwk> | undefined): Promise<Verified> => {
  const [{ verifyExport, verifyReceipts }, { linesOf, verifyArchive }] = await Promise.all([
    import('../../usage/receipts/verify.ts'),
    import('../../usage/archive/archive-files.ts'),
  ]);
  const path = file === '-' ? '/dev/stdin' : file;
  if ((await stat(path)).isDirectory()) return verifyArchive(path, trusted);
  const lines = linesOf(path);
  const first = await lines.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* lines;
  };
  const isReceipt = !first.done && /^[\w-]+\./.test(first.value.trim());
  return isReceipt ? verifyReceipts(all(), trusted) : verifyExport(all(), trusted);
};

/** A JSON Web Key Set, as the server publishes it. */
const trustedKeys = async (file: string): Promise<ReadonlyMap<string, Jwk>> => {
  const { publicKeySet } = await import('@faircopy/contract');
  const { keys } = publicKeySet.parse(JSON.parse(await readFile(file, 'utf8')));
  return new Map(keys.map((key) => [key.kid, key]));
};

const receiptSentence = ({ receipt: { record, link } }: VerifiedReceipt): string =>
  `A genuine receipt: request ${record.request_id} of ${record.created_at}, ${sanitise(record.status)}, ` +
  `${record.billed_audio_seconds} s billed${link.seq === 0 ? '' : `, row ${link.seq} of its account`}.`;

const receiptsSentence = ({ receipts, billedSeconds }: VerifiedReceipts): string =>
  `${receipts} genuine receipts, ${billedSeconds} s billed. They do not show whether any is missing.`;

const exportSentence = ({ rows, fromSeq, toSeq, requests, billedSeconds, exportedAt }: VerifiedExport): string =>
  `A genuine export of ${exportedAt}: ${rows} rows${toSeq === 0 ? '' : ` (${fromSeq} to ${toSeq})`}, ` +
  `${requests} requests, ${billedSeconds} s billed. No row is missing, changed or out of order.`;

const archiveSentence = ({ files, accounts, rows, requests, billedSeconds }: VerifiedArchive): string =>
  `A genuine archive of ${accounts} accounts in ${files} files: ${rows} rows, ${requests} requests, ` +
  `${billedSeconds} s billed. No row is missing, changed or out of order.`;

const sentenceOf = (found: Verified): string => {
  if ('receipt' in found) return receiptSentence(found);
  if ('files' in found) return archiveSentence(found);
  return 'receipts' in found ? receiptsSentence(found) : exportSentence(found);
};

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

interface ExportOptions {
  readonly account: string;
  readonly from?: number;
  readonly to?: number;
  readonly tag?: string;
}

const exportAll = (options: ExportOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { exportLines }, { receiptsOfTag }, { ReceiptSigner }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../usage/receipts/export.ts'),
      import('../../usage/receipts/receipts-of-tag.ts'),
      import('../../usage/receipts/signing-keys.ts'),
    ]);
    const { id: accountId } = await accountNamed(storage.read, options.account);
    const ports = { storage, signer: new ReceiptSigner(storage) };
    const { tag, from: fromSeq, to: toSeq } = options;
    const all =
      tag === undefined ? exportLines(ports, { accountId, fromSeq, toSeq }) : receiptsOfTag(ports, { accountId, tag });
    for await (const lines of all) if (!(await print(lines))) return;
  });

const archive = ({ before, to: folder }: { before: number; to: string }): Promise<void> =>
  withStorage(
    async (storage) => {
      const [{ archiveUsage }, { ReceiptSigner }] = await Promise.all([
        import('../../usage/archive/archive.ts'),
        import('../../usage/receipts/signing-keys.ts'),
      ]);
      const ports = { storage, signer: new ReceiptSigner(storage) };
      const onPart = (path: string, rows: number) => console.error(`${path}: ${rows} rows, verified`);
      const { files, rows } = await archiveUsage(ports, { folder, beforeMs: before, onPart });
      await print(`${rows} rows moved to ${files} files.\n`);
    },
    // Removing a month of many millions of rows takes minutes.
    { statementMsMax: 0 },
  );

/** The start of a month, at least two days ago: no request from before it is still open. */
const pastMonth = (text: string): number => {
  const atMs = /^\d{4}-\d{2}$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('Write a month such as 2026-01.');
  if (atMs > Date.now() - OPEN_MS_MAX) throw new InvalidArgumentError('The month must be at least two days old.');
  return atMs;
};
const OPEN_MS_MAX = 2 * 24 * 60 * 60 * 1000;

const keys = (options: { json?: boolean; jwks?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { listReceiptKeys, ReceiptSigner } = await import('../../usage/receipts/signing-keys.ts');
    const published = await new ReceiptSigner(storage).published();
    if (options.jwks) return void (await printJson(published));
    const listed = await listReceiptKeys(storage.write);
    if (options.json) {
      const shown = listed.map((key) => ({
        id: key.id,
        created_at: isoOrNull(key.created_at_ms),
        retired_at: isoOrNull(key.retired_at_ms),
      }));
      return void (await printJson(shown));
    }
    await printTable(listed, [
      { title: 'id', value: ({ id }) => id },
      { title: 'created', value: (key) => shortTime(key.created_at_ms) },
      { title: 'retired', value: (key) => shortTime(key.retired_at_ms) },
    ]);
  });

const rotate = (): Promise<void> =>
  withStorage(async (storage) => {
    const { rotateKey } = await import('../../usage/receipts/signing-keys.ts');
    await print(`${await rotateKey(storage)}\n`);
    console.error('Running servers sign with this key within seconds. Older keys stay published.');
  });

const rowNumber = wholeNumber(1, 999_999_999_999_999);

export const configureReceipts: ConfigureCommand = (receipts) => {
  receipts
    .command('verify')
    .argument('<file>', 'a receipt, several, an export or the folder of an archive; - for standard input')
    .description('verify receipts, an export or an archive, without the server')
    .option('--keys <file>', 'trusted keys: a saved copy of /.well-known/jwks.json')
    .addOption(new Option('--key-id <id>', 'the trusted key').conflicts('keys'))
    .option('--json', 'print JSON')
    .action(verify);
  receipts
    .command('get')
    .argument('<request-id>')
    .description('print the signed receipt of a request')
    .requiredOption('--account <name>')
    .action(get);
  receipts
    .command('export')
    .description('print all rows of an account, signed, in the order of its chain')
    .requiredOption('--account <name>')
    .option('--from <row>', 'first row', rowNumber)
    .option('--to <row>', 'last row', rowNumber)
    .addOption(new Option('--tag <tag>', 'only the receipts of its requests, one per line').conflicts(['from', 'to']))
    .action(exportAll);
  receipts
    .command('archive')
    .description('move the rows of old requests from the database to signed files')
    .requiredOption('--before <month>', 'requests before this month, such as 2026-01', pastMonth)
    .requiredOption('--to <folder>', 'the folder of the archive')
    .action(archive);
  receipts
    .command('keys')
    .description('list the signing keys, newest first')
    .option('--jwks', 'print the set of public keys that --keys reads')
    .option('--json', 'print JSON')
    .action(keys);
  receipts.command('rotate-key').description('create a new signing key').action(rotate);
};
