// For administrators of the server: its accounts, everybody who signs in, totals for invoices, and how the server is doing.
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Totals } from '../usage/totals.tsx';
import { Accounts } from './accounts.tsx';
import { Cluster } from './cluster.tsx';
import { ServerPeople } from './people.tsx';
import { Status } from './status.tsx';

const PARTS = [
  ['accounts', 'Accounts'],
  ['people', 'People'],
  ['totals', 'Totals'],
  ['server', 'Server'],
] as const;
type Part = (typeof PARTS)[number][0];

export const AdministrationPage = () => {
  const [{ part }, change] = useAddress({ part: 'accounts' });
  const chosen = PARTS.find(([id]) => id === part)?.[0] ?? 'accounts';
  return (
    <>
      <PageHead
        title="Administration"
        lead="Accounts of this server, everybody who signs in, and how the server is doing."
      />
      <Tabs
        label="Parts of the administration"
        tabs={PARTS}
        chosen={chosen}
        onChoose={(id: Part) => change({ part: id })}
      >
        {chosen === 'accounts' ? <Accounts /> : null}
        {chosen === 'people' ? <ServerPeople /> : null}
        {chosen === 'totals' ? <Totals whose="server" /> : null}
        {chosen === 'server' ? (
          <>
            <Status />
            <Cluster />
          </>
        ) : null}
      </Tabs>
    </>
  );
};
