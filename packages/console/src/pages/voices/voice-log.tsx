// The newest entries of the audit log of voices.
import type { VoiceEventObject, VoiceObject } from '@faircopy/contract';
import { DataTable } from '../../components/data-table.tsx';
import { counted, listTime } from '../../format.ts';

const ACTIONS: Readonly<Record<VoiceEventObject['action'], string>> = {
  enrolled: 'Enrolled',
  compared: 'Compared with a recording',
  named: 'Named in a transcript',
  exported: 'Exported',
  deleted: 'Deleted',
};

interface Props {
  readonly entries: readonly VoiceEventObject[];
  readonly voices: readonly VoiceObject[];
}

export const VoiceLog = ({ entries, voices }: Props) => {
  const whose = ({ voice_id: id, voices: count }: VoiceEventObject) => {
    if (id === null) return counted(count, 'voice');
    const name = voices.find((voice) => voice.id === id)?.name;
    return name === undefined ? <span class="muted">deleted voice</span> : <bdi>{name}</bdi>;
  };
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>Log</h2>
      <p class="muted small">Every enrolment, use, export and deletion is recorded, without names.</p>
      <DataTable
        rows={entries}
        keyOf={({ id }) => id}
        isCompact
        testId="voice-log"
        columns={[
          { title: 'Time', class: 'nowrap', cell: ({ at }) => listTime(at) },
          { title: 'What', isRowHeader: true, cell: ({ action }) => ACTIONS[action] },
          { title: 'Voice', class: 'name', cell: whose },
        ]}
      />
    </section>
  );
};
