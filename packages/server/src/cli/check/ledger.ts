// Checks the ledger: that every account's rows form an unbroken chain.
import type { Config } from '../../app/config.ts';
import type { Finding } from './finding.ts';

/** A line for all of it, or one for each fault. */
export const ledger = async (config: Config): Promise<Finding[]> => {
  const [{ SCHEMA_VERSION, schemaVersion }, { openStorage }, { checkChains }] = await Promise.all([
    import('../../storage/inspect.ts'),
    import('../../storage/open.ts'),
    import('../../usage/chain/check.ts'),
  ]);
  const finding = (verdict: Finding['verdict'], says: string): Finding => ({ what: 'ledger', verdict, says });
  try {
    const version = await schemaVersion(config);
    if (version === null) return [finding('ok', 'there is none yet')];
    // A check changes nothing, so it brings no database up to date either.
    if (version < SCHEMA_VERSION)
      return [finding('warn', 'the database is of an older release; its rows are sealed at the next start')];
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
