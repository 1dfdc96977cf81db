// Fails if documents have broken links or name files, npm scripts or settings that do not exist, or if user documents
// are too long.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);

const SKIPPED_FOLDERS = new Set(['.git', '.fuzz', 'node_modules', 'dist', 'data', 'release']);
/** Not settings of the server: clients read KEY and URL, the build reads BUILD, and TAGGER_ABSENT names a warning. */
const NOT_SETTINGS = new Set(['FAIRCOPY_API_KEY', 'FAIRCOPY_BUILD', 'FAIRCOPY_URL', 'FAIRCOPY_TAGGER_ABSENT']);
/** The maximum total words of the documents for users and operators, counted like `wc -w`. */
const USER_WORDS_MAX = 18_000;

const documentsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : documentsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });

const withoutCode = (text) => text.replaceAll(/^```[^\n]*\n[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors that GitHub generates from headings. A repeated heading gets a number. */
const anchorsOf = (text) => {
  const counts = new Map();
  const anchors = new Set();
  for (const [, heading] of text.replaceAll(/^```[^\n]*\n[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
};

const texts = new Map(documentsIn(root).map((path) => [path, readFileSync(path, 'utf8')]));
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
const configuration = texts.get(join(root, 'docs', 'configuration.md'));
const isUserDocument = (path) => /^docs\/[^/]+\.md$/.test(relative(root, path));
const faults = [];

for (const [path, text] of texts) {
  const fault = (message) => faults.push(`${relative(root, path)}: ${message}`);

  for (const [, target] of withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file, anchor] = target.split('#');
    const linked = file === '' ? path : resolve(dirname(path), decodeURIComponent(file));
    if (!existsSync(linked)) fault(`the target of the link "${target}" does not exist.`);
    else if (anchor !== undefined && !anchorsOf(texts.get(linked) ?? '').has(anchor))
      fault(`the heading of the link "${target}" does not exist.`);
  }

  for (const [, named] of text.matchAll(/`((?:\.ci|bench|deploy|docs|packages|scripts|training)\/[\w./-]+)`/g))
    if (!existsSync(join(root, named))) fault(`the file "${named}" does not exist.`);
  for (const [, named] of text.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g))
    if (!existsSync(join(root, 'packages', 'server', named))) fault(`the file "${named}" does not exist.`);

  for (const [, name] of text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*[\w])/g))
    if (!(name in scripts)) fault(`"npm run ${name}" is not a script of package.json.`);

  if (isUserDocument(path))
    for (const [name] of text.matchAll(/\bFAIRCOPY_[A-Z][A-Z_]*[A-Z]\b/g))
      if (!NOT_SETTINGS.has(name) && !new RegExp(`\\b${name}\\b`).test(configuration))
        fault(`${name} is not a setting in docs/configuration.md.`);
}

const userWords = [...texts]
  .filter(([path]) => isUserDocument(path))
  .reduce((sum, [, text]) => sum + text.split(/\s+/).filter(Boolean).length, 0);
if (userWords > USER_WORDS_MAX)
  faults.push(`docs/*.md have ${userWords} words; ${USER_WORDS_MAX} are allowed. Move details to docs/internals/.`);

if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n'));
  process.exit(1);
}
console.log(`${texts.size} documents, ${userWords} words for users: all links, files, scripts and settings exist.`);
