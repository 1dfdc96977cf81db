// The text of a job, with downloads. The result of a job sent with an API key opens only with that key.
import { type ConsoleJob, jobResponse, PATHS, type SuccessResponse } from '@faircopy/contract';
import { useMemo, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Show } from '../../components/states.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { SERVICE_URL } from '../../paths.ts';
import { useSession } from '../../session.ts';
import { Downloads } from '../playground/transcript/downloads.tsx';
import { editableTranscript } from '../playground/transcript/editable-transcript.ts';
import { jobName } from './job-names.ts';

const Answer = ({ job, answer }: { job: ConsoleJob; answer: SuccessResponse }) => {
  const name = jobName(job.id) ?? job.id;
  const state = useMemo(() => ({ name: 'answered' as const, answer }), [answer]);
  const transcript = useMemo(() => editableTranscript({ state }), [state]);
  const { transcript: text, detected_language: language } = answer.result;
  return (
    <div class="job-result">
      <p class="transcript job-text" data-testid="job-text" lang={language ?? ''} dir="auto">
        {text === '' ? <span class="muted">No speech was recognised.</span> : text}
      </p>
      <div class="job-downloads">
        {transcript ? <Downloads transcript={transcript} recording={{ name, state }} /> : null}
        {text ? <CopyButton text={text} label="Copy text" /> : null}
      </div>
    </div>
  );
};

const fetchWithKey = async (id: string, key: string): Promise<SuccessResponse> => {
  const response = await fetch(`${SERVICE_URL}${PATHS.jobs}/${id}`, { headers: { authorization: `Token ${key}` } });
  const body: unknown = await response.json().catch(() => null);
  const known = jobResponse.safeParse(body);
  if (known.success && known.data.answer) return known.data.answer;
  throw new Error(
    (body as { error?: { message?: string } } | null)?.error?.message ?? 'This key cannot open the result.',
  );
};

const WithKey = ({ job }: { job: ConsoleJob }) => {
  const [answer, setAnswer] = useState<SuccessResponse | null>(null);
  if (answer) return <Answer job={job} answer={answer} />;
  return (
    <Form submit="Show text" onSubmit={async (values) => setAnswer(await fetchWithKey(job.id, textOf(values, 'key')))}>
      <Field
        label={`Key “${job.key_name ?? 'unknown'}”`}
        name="key"
        type="password"
        autocomplete="off"
        required
        hint="Only the key that sent this job can open its text. The key stays in this tab."
      />
    </Form>
  );
};

const Own = ({ job }: { job: ConsoleJob }) => {
  const { accountId } = useSession();
  const loaded = useLoad(() => api.job(accountId, job.id), [job.id]);
  return (
    <Show of={loaded} what="the text">
      {({ answer }) =>
        answer ? <Answer job={job} answer={answer} /> : <p class="muted">The text has been deleted.</p>
      }
    </Show>
  );
};

export const JobResult = ({ job }: { job: ConsoleJob }) => {
  if (job.state !== 'succeeded') return null;
  return job.is_own ? <Own job={job} /> : <WithKey job={job} />;
};
