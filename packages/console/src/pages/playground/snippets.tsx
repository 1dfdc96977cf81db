// The same request as code, with the options chosen above.
import { useState } from 'preact/hooks';
import { SERVICE_URL } from '../../base-path.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import type { Options } from './options.tsx';

const curl = ({ model, language }: Options, origin: string): string =>
  [
    `curl ${origin}/v1/transcribe \\`,
    '  -H "Authorization: Token $FAIRCOPY_API_KEY" \\',
    `  -F model=${model} \\`,
    ...(language ? [`  -F language=${language} \\`] : []),
    '  -F audio=@voice-note.webm',
  ].join('\n');

const node = ({ model, language }: Options, origin: string): string =>
  [
    "import { openAsBlob } from 'node:fs';",
    "import { Faircopy } from '@faircopy/client';",
    '',
    `const faircopy = new Faircopy({ baseUrl: '${origin}', apiKey: process.env.FAIRCOPY_API_KEY });`,
    `const answer = await faircopy.transcribe(await openAsBlob('voice-note.webm'), {`,
    `  model: '${model}',`,
    ...(language ? [`  language: '${language}',`] : []),
    '});',
    'console.log(answer.result.transcript);',
  ].join('\n');

const cli = ({ model, language }: Options, origin: string): string =>
  `npx faircopy transcribe voice-note.webm --url ${origin} --model ${model}${language ? ` --language ${language}` : ''}`;

const LANGUAGES = { curl, 'Node and browsers': node, 'Command line': cli } as const;
type SnippetLanguage = keyof typeof LANGUAGES;

export const Snippets = ({ options }: { options: Options }) => {
  const [chosen, setChosen] = useState<SnippetLanguage>('curl');
  const text = LANGUAGES[chosen](options, SERVICE_URL);
  return (
    <section class="card">
      <h2>From your own program</h2>
      <div class="tabs" role="tablist" aria-label="Language of the example">
        {(Object.keys(LANGUAGES) as SnippetLanguage[]).map((name) => (
          <button key={name} type="button" role="tab" aria-selected={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      </div>
      <div class="snippet">
        <pre>
          <code>{text}</code>
        </pre>
        <div class="actions">
          <CopyButton text={text} />
        </div>
      </div>
    </section>
  );
};
