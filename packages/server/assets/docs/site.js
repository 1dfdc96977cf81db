// Behaviour of the documentation's pages: search, copy buttons, the menu on small screens and the API explorer.
const root = document.body.dataset.root;
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const RESULTS_MAX = 12;
const SNIPPET_CHARS = 110;

let sections;
const loadSections = () => {
  sections ??= fetch(`${root}search.json`).then((response) => response.json());
  return sections;
};

const wordsOf = (text) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);

/** Every word must occur. Words in headings count most. */
const scoreOf = (section, words) => {
  const heading = `${section.title} ${section.heading}`.toLowerCase();
  const text = section.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (heading.includes(word)) score += 10;
    else if (text.includes(word)) score += 1;
    else return 0;
  }
  return score;
};

const snippetOf = ({ text }, word) => {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = Math.max(0, at - SNIPPET_CHARS / 3);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + SNIPPET_CHARS)}…`;
};

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const showResults = async () => {
  const words = wordsOf(input.value);
  if (words.length === 0) {
    list.hidden = true;
    return;
  }
  const all = await loadSections();
  if (wordsOf(input.value).join() !== words.join()) return;
  const found = all
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX);
  const items = found.map(({ section }) =>
    element(
      'li',
      {},
      element(
        'a',
        { href: `${root}${section.page}#${section.id}` },
        section.heading === section.title ? section.title : `${section.title}: ${section.heading}`,
        element('small', {}, snippetOf(section, words[0])),
      ),
    ),
  );
  list.replaceChildren(...(items.length > 0 ? items : [element('li', { className: 'none' }, 'Nothing found.')]));
  list.hidden = false;
};

input.addEventListener('input', showResults);
input.addEventListener('focus', showResults);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement?.tagName ?? '')) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') list.hidden = true;
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...list.querySelectorAll('a')];
  if (list.hidden || links.length === 0) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  (links[at] ?? input).focus();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) list.hidden = true;
});

for (const block of document.querySelectorAll('main pre')) {
  const button = element('button', { type: 'button', className: 'copy' }, 'Copy');
  const code = block.querySelector('code') ?? block;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.append(button);
}

if (matchMedia('(max-width: 46rem)').matches) document.querySelector('nav details').open = false;

const explorer = document.querySelector('#explorer');
if (explorer) (await import('./explorer.js')).showExplorer(explorer, element, `${root}../openapi.json`);
