// Checks that the usage rows of every account form an unbroken chain.
import type { Config } from '../../app/config.ts';
import type { Finding } from './finding.ts';

/** One finding for the whole ledger, or one for each fault. */
export const ledger = async (config: Config): Promise<Finding[]> => {
  const [{ SCHEMA_VERSION, schemaVersion }, { openStorage }, { checkChains }] = await Promise.all([
    import('../../storage/inspect.ts'),
    import('../../storage/open.ts'),
    import('../../usage/chain/check.ts'),
  ]);
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'ledger', verdict, says });
  try {
    const version = await schemaVersion(config);
    if (version === null) return [finding('ok', 'there is no ledger yet')];
    // A check changes nothing, so it does not migrate the database either.
    if (version < SCHEMA_VERSION)
      return [finding('warn', 'the database is from an older release; its rows join the chain at the next start')];
    const storage = await openStorage(config);
    try {
      const { accounts, links, sealedRows, faults } = await checkChains(storage);
      if (faults.length > 0)
        return faults.map(({ accountId, requestId, message }) =>
          finding('fail', `account ${accountId}: ${message}${requestId === null ? '' : ` (request ${requestId})`}`),
        );
      const sealed = sealedRows === 0 ? '' : `, ${sealedRows} older rows sealed`;
      return [finding('ok', `${links} links in the chains of ${accounts} accounts, none broken${sealed}`)];
    } finally {
      await storage.close();
    }
  } catch (thrown) {
    return [finding('fail', `it cannot be read: ${(thrown as Error).message}`)];
  }
};
