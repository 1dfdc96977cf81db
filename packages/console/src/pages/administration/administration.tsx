// For server administrators: accounts, people, totals for invoices, and the state of the server.
import { PageHeader } from '../../components/page-header.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useQuery } from '../../hooks/use-query.ts';
import { Totals } from '../usage/totals.tsx';
import { Accounts } from './accounts.tsx';
import { Cluster } from './cluster.tsx';
import { ServerPeople } from './people.tsx';
import { Status } from './status.tsx';

const TABS = [
  ['accounts', 'Accounts'],
  ['people', 'People'],
  ['totals', 'Totals'],
  ['server', 'Server'],
] as const;

export const AdministrationPage = () => {
  const [{ part }, change] = useQuery({ part: 'accounts' });
  const chosen = TABS.find(([id]) => id === part)?.[0] ?? 'accounts';
  return (
    <>
      <PageHeader
        title="Administration"
        lead="The accounts of this server, everyone who signs in, and the state of the server."
      />
      <Tabs label="Administration" tabs={TABS} chosen={chosen} onChoose={(id) => change({ part: id })}>
        {chosen === 'accounts' ? <Accounts /> : null}
        {chosen === 'people' ? <ServerPeople /> : null}
        {chosen === 'totals' ? <Totals scope="server" /> : null}
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
