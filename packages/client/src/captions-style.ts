// The style of the caption widget: the console's colours, each of which a page can override with a custom property.

const CSS = `
:host { all: initial; display: block; color-scheme: light dark; }
.box {
  --paper: var(--faircopy-paper, light-dark(#ffffff, #1c2027));
  --ink: var(--faircopy-ink, light-dark(#1d2430, #e8e6e0));
  --quiet: var(--faircopy-ink-quiet, light-dark(#5d6676, #a0a7b4));
  --line: var(--faircopy-line, light-dark(#e3dfd4, #2e343e));
  --accent: var(--faircopy-accent, light-dark(#1f3a5f, #9cc0ee));
  --accent-ink: var(--faircopy-accent-ink, light-dark(#ffffff, #10202f));
  --bad: var(--faircopy-bad, light-dark(#a32020, #f29b93));
  display: flex; flex-direction: column; gap: 0.75rem; align-items: start;
  font: 1rem / 1.6 var(--faircopy-font, system-ui, sans-serif);
  color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 10px; padding: 1rem;
}
.log { width: 100%; min-height: 3.2em; max-height: 12em; overflow-y: auto; font-size: 1.2em; }
.interim { color: var(--quiet); }
.problem { margin: 0; color: var(--bad); }
.problem:empty { display: none; }
button {
  font: inherit; font-weight: 550; cursor: pointer; border: 0; border-radius: 8px; padding: 0.5rem 0.9rem;
  background: var(--accent); color: var(--accent-ink);
}
button:disabled { opacity: 0.55; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

let sheet: CSSStyleSheet | undefined;

/** All widgets of a page share one style sheet. */
export const captionStyle = (): CSSStyleSheet => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
};
