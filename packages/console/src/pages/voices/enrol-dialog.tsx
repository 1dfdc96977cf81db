// The dialog that enrols a person: name, recording, and confirmation of their consent.
import { VOICE_LIMITS } from '@faircopy/contract';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { ErrorNotice } from '../../components/states.tsx';
import { LevelMeter } from '../playground/level-meter.tsx';
import { type Recorder, startRecorder } from '../playground/recorder.ts';
import type { Clients } from '../playground/use-clients.ts';
import { useElapsed, useLevel } from '../playground/use-level.ts';

interface Sample {
  readonly name: string;
  readonly audio: Blob;
}

const RecordingChoice = ({ sample, onSample }: { sample: Sample | null; onSample: (sample: Sample) => void }) => {
  const [recorder, setRecorder] = useState<Recorder | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const latest = useRef<Recorder | null>(null);
  latest.current = recorder;
  useEffect(() => () => latest.current?.discard(), []);
  const input = useRef<HTMLInputElement>(null);
  const level = useLevel(recorder?.stream ?? null);
  const elapsed = useElapsed(recorder !== null);
  const start = () => {
    setError(null);
    startRecorder().then(setRecorder, setError);
  };
  const stop = async () => {
    if (!recorder) return;
    setRecorder(null);
    onSample({ name: 'Recording', audio: await recorder.stop() });
  };
  useEffect(() => {
    if (elapsed >= VOICE_LIMITS.audioSecondsMax - 1) void stop();
  }, [elapsed]);
  return (
    <fieldset class="voice-sample">
      <legend>Recording</legend>
      <p class="hint">
        Only this person may speak, for {VOICE_LIMITS.speechSecondsMin} to {VOICE_LIMITS.speechSecondsMax} seconds,
        without music, recorded the way they will be heard later.
      </p>
      {recorder ? (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <button type="button" class="danger" onClick={() => void stop()}>
            Stop recording
          </button>
        </>
      ) : (
        <div class="actions">
          <button type="button" onClick={start}>
            {sample ? 'Record again' : 'Record'}
          </button>
          <button type="button" onClick={() => input.current?.click()}>
            Choose a file
          </button>
        </div>
      )}
      <p role="status" class="chosen-sample">
        {sample && !recorder ? (
          <>
            Chosen: <bdi>{sample.name}</bdi>
          </>
        ) : null}
      </p>
      {error ? <ErrorNotice error={error} /> : null}
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label="Recording of the voice"
        accept="audio/*,video/*"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onSample({ name: file.name, audio: file });
        }}
      />
    </fieldset>
  );
};

const Consent = () => {
  const id = useId();
  return (
    <div class="check">
      <input id={id} type="checkbox" name="consent" value="true" required aria-describedby={`${id}-hint`} />
      <label for={id}>This person has agreed to the enrolment of their voice</label>
      <p class="hint" id={`${id}-hint`}>
        A voice print is biometric data. It is stored encrypted, compared with speakers only when a request asks for it,
        and deleted at once when you delete it here. Tell the person this, and that they can withdraw.
      </p>
    </div>
  );
};

export const EnrolDialog = ({ clients, onClose }: { clients: Clients; onClose: () => void }) => {
  const [sample, setSample] = useState<Sample | null>(null);
  const [name, setName] = useState('');
  return (
    <Dialog title="Enrol a person" onClose={onClose}>
      <Form
        submit="Enrol"
        onCancel={onClose}
        onSubmit={async (values) => {
          if (!sample) throw new Error('Record the person, or choose a file.');
          const { voices } = await clients.live();
          await voices.enrol({ name: textOf(values, 'name'), audio: sample.audio, consent: true });
          onClose();
        }}
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={VOICE_LIMITS.nameCharactersMax}
          hint="What to call the person in transcripts."
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <RecordingChoice sample={sample} onSample={setSample} />
        <Consent />
      </Form>
    </Dialog>
  );
};
