// Known voices: enrol people, list, export and delete their voice prints, and see who used them.
import type { VoiceObject } from '@faircopy/contract';
import { useMemo } from 'preact/hooks';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { FormDialog, useDialog } from '../../components/dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { counted, day } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { saveText } from '../../save-file.ts';
import { useSession } from '../../session.ts';
import { type Clients, useClients } from '../playground/use-clients.ts';
import { EnrolDialog } from './enrol-dialog.tsx';
import { VoiceLog } from './voice-log.tsx';

const DeleteDialog = (props: { voice: VoiceObject; clients: Clients; onClose: () => void }) => (
  <FormDialog
    title="Delete this voice?"
    submit="Delete voice"
    danger
    onClose={props.onClose}
    onSubmit={async () => (await props.clients.live()).voices.delete(props.voice.id)}
  >
    <p>
      The voice print of <strong class="name">{props.voice.name}</strong> is deleted at once. Later transcripts will not
      name this person. You cannot undo this.
    </p>
  </FormDialog>
);

const fileNameOf = (name: string): string => `${name.replaceAll(/[\\/:*?"<>|]/g, '-')}.voice.json`;

export const VoicesPage = () => {
  const { accountId, account } = useSession();
  const clients = useClients(accountId);
  const page = useLoad(async () => {
    const { voices } = await clients.live();
    const [list, audit] = await Promise.all([voices.list(), voices.audit({ limit: 20 })]);
    return { ...list, entries: audit.entries };
  }, [accountId]);
  const { dialog, openDialog } = useDialog(page.reload);
  const enrol = () => openDialog((close) => <EnrolDialog clients={clients} onClose={close} />);
  const save = async ({ id, name }: VoiceObject) => {
    const { voice, print, history } = await (await clients.live()).voices.export(id);
    saveText(`${JSON.stringify({ voice, print, history }, null, 2)}\n`, 'application/json', fileNameOf(name));
    page.reload();
  };
  const columns = useMemo(
    () => [
      {
        title: 'Name',
        class: 'name',
        isRowHeader: true,
        cell: ({ name }: VoiceObject) => <bdi>{name}</bdi>,
      },
      { title: 'Speech', class: 'nowrap', cell: (voice: VoiceObject) => `${Math.round(voice.speech_seconds)} s` },
      { title: 'Enrolled', class: 'nowrap', cell: (voice: VoiceObject) => day(voice.created_at) },
    ],
    [],
  );
  return (
    <>
      <PageHeader
        title="Voices"
        of={account.name}
        lead="People you have enrolled. Transcripts with speakers can show their names."
      >
        <button type="button" class="primary" onClick={enrol}>
          Enrol a person
        </button>
      </PageHeader>
      <Show of={page} what="voices">
        {({ voices, voices_max: voicesMax, entries }) => (
          <>
            {voices.length === 0 ? (
              <Empty title="No voices yet">
                <p>
                  Enrol a person who has agreed to it, with 8 to 30 seconds of their speech. The recording is not kept.
                </p>
              </Empty>
            ) : (
              <>
                <SearchableList what="a voice" items={voices} textOf={({ name }) => name}>
                  {(found) => (
                    <DataTable
                      rows={found}
                      keyOf={({ id }) => id}
                      columns={columns}
                      testId="voices"
                      actions={(voice) => (
                        <>
                          <RowAction text="Export" of={voice.name} onClick={() => void save(voice)} />
                          <RowAction
                            text="Delete"
                            of={voice.name}
                            isDanger
                            onClick={() =>
                              openDialog((close) => <DeleteDialog voice={voice} clients={clients} onClose={close} />)
                            }
                          />
                        </>
                      )}
                    />
                  )}
                </SearchableList>
                <p class="hint">
                  {counted(voices.length, 'voice')} of {voicesMax}.
                </p>
              </>
            )}
            <VoiceLog entries={entries} voices={voices} />
          </>
        )}
      </Show>
      {dialog}
    </>
  );
};
