// The head of a page: its heading, which also names the browser's tab and is told to screen readers on arrival.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The page that was open before, so that focus moves on navigation and not on the first load. */
let lastPath: string | null = null;

interface PageHeadProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  /** What the page is about, for the browser's tab. */
  readonly of?: string;
  readonly children?: ComponentChildren;
}

export const PageHead = ({ title, lead, of, children }: PageHeadProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, of, 'Faircopy'].filter(Boolean).join(' · ');
  }, [title, of]);
  useEffect(() => {
    if (lastPath !== null && lastPath !== location.pathname) {
      heading.current?.focus();
      scrollTo(0, 0);
    }
    lastPath = location.pathname;
  }, [location.pathname]);
  return (
    <header class="page-head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="quiet">{lead}</p>
      </div>
      {children ? <div class="actions">{children}</div> : null}
    </header>
  );
};
