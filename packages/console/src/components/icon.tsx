// Navigation icons: outlines on a 24-unit grid, in the colour of the text.

const PATHS = {
  playground: 'M12 4v16M8 8v8M16 8v8M4 11v2M20 11v2',
  keys: 'M14.5 9.5a4.5 4.5 0 1 1-4.5-4.5 4.5 4.5 0 0 1 4.5 4.5ZM13.2 12.7 20 19.5M17 16.5l2-2',
  usage: 'M4 20h16M7 16v-5M12 16V5M17 16v-8',
  jobs: 'M4 6.5h10M4 12h7M4 17.5h5M17 20.5a4 4 0 1 0-4-4 4 4 0 0 0 4 4ZM17 14.8v1.9l1.3.9',
  vocabulary: 'M5 5.5A1.5 1.5 0 0 1 6.5 4H19v13H6.5A1.5 1.5 0 0 0 5 18.5ZM5 18.5A1.5 1.5 0 0 0 6.5 20H19v-3M9 8h6',
  voices: 'M13 8a4 4 0 1 1-4-4 4 4 0 0 1 4 4ZM3 20a6 6 0 0 1 12 0M16.5 6a4 4 0 0 1 0 4M19 4a7 7 0 0 1 0 8',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  administration: 'M12 3.5 19 6v5.5c0 4.2-2.8 7.3-7 9-4.2-1.7-7-4.8-7-9V6ZM9 11.8l2.2 2.2 3.8-4',
  documentation: 'M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5ZM12 6.5v13',
  person: 'M16 8.5a4 4 0 1 1-4-4 4 4 0 0 1 4 4ZM4.5 20a7.5 7.5 0 0 1 15 0',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
