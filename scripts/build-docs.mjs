// Renders docs/ for the server: one page per document, a search index and llms.txt, into packages/server/dist/docs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';

const SUMMARY =
  'Faircopy is a speech transcription server: files over HTTP, live audio over WebSockets, and endpoints for OpenAI, Deepgram and Home Assistant clients.';

const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
const plain = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name])
    .replace(/\s+/g, ' ')
    .trim();

/** The page of `openai.md` is `openai`; the page of a README is its folder. */
const pageOf = (file) => file.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '');

const documentsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort();

/** The target of a link on the page of `file`: another page, or a file in the repository. */
const hrefFrom = (file, href, documents, repository) => {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = [target, `${target}/README.md`].find((name) => documents.includes(name));
  if (page === undefined) return `${repository}/blob/main/${posix.normalize(posix.join('docs', target))}${hash}`;
  const here = posix.dirname(`/${pageOf(file)}${pageOf(file) === '' ? '.' : ''}`);
  const relative = posix.relative(here, `/${pageOf(page)}`) || '.';
  return `${pageOf(page) === '' ? `${posix.relative(here, '/') || '.'}/` : relative}${hash}`;
};

/** Sections for the search index: the text under each heading. */
const sectionsOf = (file, title, html) =>
  html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const [, id, heading] = /^<h[1-3] id="([^"]*)">([\s\S]*?)<\/h[1-3]>/.exec(part) ?? [];
    if (id === undefined) return [];
    const text = plain(part.slice(part.indexOf('</h')));
    return [{ page: pageOf(file), id, title, heading: plain(heading), text }];
  });

const firstParagraph = (html) => plain(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '');

const render = (file, source, titles, repository) => {
  const documents = [...titles.keys()];
  const marked = new Marked(gfmHeadingId(), {
    walkTokens: (token) => {
      if (token.type !== 'link') return;
      // Shows the title of a document instead of its file name.
      if (token.text === token.href && titles.has(token.href))
        token.tokens = [{ type: 'text', raw: token.text, text: titles.get(token.href) }];
      token.href = hrefFrom(file, token.href, documents, repository);
    },
  });
  const html = marked
    .parse(source)
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="table" tabindex="0">$&</div>')
    .replaceAll('<th></th>', '<td></td>');
  const headings = getHeadingList();
  return { file, html, headings, title: plain(headings[0]?.text ?? file) };
};

const menuOf = (documents, current, toRoot) => {
  const item = ({ file, title }) => {
    const mark = file === current ? ' aria-current="page"' : '';
    return `<li><a href="${toRoot}${pageOf(file)}"${mark}>${escapeHtml(title)}</a></li>`;
  };
  const isMain = ({ file }) => !file.includes('/') && file !== 'README.md';
  return `<ul>${item(documents.find(({ file }) => file === 'README.md'))}<li><a href="${toRoot}explorer">API explorer</a></li>${documents.filter(isMain).map(item).join('')}</ul>`;
};

export const buildDocs = (root, repository) => {
  const folder = join(root, 'docs');
  const target = join(root, 'packages', 'server', 'dist', 'docs');
  const template = readFileSync(join(root, 'packages', 'server', 'assets', 'docs', 'page.html'), 'utf8');
  const sources = documentsIn(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  const titles = new Map(sources.map(([file, source]) => [file, /^# (.+)$/m.exec(source)?.[1] ?? file]));
  const documents = sources.map(([file, source]) => ({ source, ...render(file, source, titles, repository) }));
  rmSync(target, { recursive: true, force: true });
  const write = (name, text) => {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  };
  const page = ({ file, title, html, headings }) => {
    const toRoot = '../'.repeat(file.split('/').length - 1) || './';
    const contents = headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`)
      .join('');
    const values = { title: escapeHtml(title), menu: menuOf(documents, file, toRoot), contents, html, toRoot };
    return template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
  };
  for (const document of documents) {
    write(`${pageOf(document.file) || 'index'}.html`, page(document));
    write(document.file, document.source);
  }
  const explorer = '<h1 id="api-explorer">API explorer</h1><div id="explorer">The explorer needs JavaScript.</div>';
  write('explorer.html', page({ file: 'explorer.md', title: 'API explorer', html: explorer, headings: [] }));
  const isForUsers = ({ file }) => !file.includes('/');
  const sections = documents.filter(isForUsers).flatMap(({ file, title, html }) => sectionsOf(file, title, html));
  write('search.json', JSON.stringify(sections));
  const entries = documents
    .filter(isForUsers)
    .filter(({ file }) => file !== 'README.md')
    .map(({ file, title, html }) => `- [${title}](docs/${file}): ${firstParagraph(html).slice(0, 200)}`);
  write(
    'llms.txt',
    `# Faircopy\n\n> ${SUMMARY}\n\n## Documentation\n\n${entries.join('\n')}\n- [OpenAPI](openapi.json)\n`,
  );
};
