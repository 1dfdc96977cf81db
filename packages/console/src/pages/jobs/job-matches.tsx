// Search results: the user's own jobs whose text contains the words.
import { api } from '../../api/api.ts';
import { Excerpt } from '../../components/excerpt.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { listTime } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { jobName } from './job-names.ts';
import { JobResult } from './job-result.tsx';

export const JobMatches = ({ words }: { words: string }) => {
  const { accountId } = useSession();
  const found = useLoad(() => api.jobMatches(accountId, words), [accountId, words]);
  return (
    <Show of={found} what="matches">
      {({ matches }) =>
        matches.length === 0 ? (
          <Empty title="None of your last fifty texts contains these words">
            <p>Only jobs that you sent from this page can be searched. Other jobs open only with their key.</p>
          </Empty>
        ) : (
          <ul class="matches" aria-label="Matches">
            {matches.map(({ job, excerpts }) => (
              <li key={job.id} class="card">
                <p class="name">
                  <bdi>{jobName(job.id) ?? job.model}</bdi> <span class="muted">{listTime(job.created_at)}</span>
                </p>
                {excerpts.map((excerpt) => (
                  <p key={excerpt}>
                    <Excerpt text={excerpt} words={words} />
                  </p>
                ))}
                <details>
                  <summary>Whole text</summary>
                  <JobResult job={job} />
                </details>
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  );
};
