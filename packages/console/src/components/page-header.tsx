// The header of a page. Its heading also sets the title of the browser tab and gets the focus on navigation.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The previous path. Navigation moves the focus to the heading, but the first load does not. */
let lastPath: string | null = null;

/** Sets the title of the browser tab. */
export const useTitle = (...parts: readonly (string | undefined)[]): void => {
  const title = [...parts, 'Faircopy'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
};

interface PageHeaderProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  /** The subject of the page, added to the title of the browser tab. */
  readonly of?: string;
  readonly children?: ComponentChildren;
}

export const PageHeader = ({ title, lead, of, children }: PageHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title, of);
  useEffect(() => {
    if (lastPath !== null && lastPath !== location.pathname) {
      heading.current?.focus();
      scrollTo(0, 0);
    }
    lastPath = location.pathname;
  }, [location.pathname]);
  return (
    <header class="page-header">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="muted">{lead}</p>
      </div>
      {children ? <div class="actions">{children}</div> : null}
    </header>
  );
};
