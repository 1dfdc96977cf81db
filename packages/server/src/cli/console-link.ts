// The address of a console page, for links that commands print.

/** Without a public URL, the address on this machine. */
export const consoleLink = async (path: string): Promise<string> => {
  const { parseConfig } = await import('../app/config.ts');
  const { publicUrl, port } = parseConfig(process.env);
  return `${publicUrl ?? `http://localhost:${port}`}/console${path}`;
};
