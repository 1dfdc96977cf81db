// Addresses of the console for links that commands print.

/** Without a setting the address is the one this machine reaches its own server at. */
export const consoleLink = async (path: string): Promise<string> => {
  const { parseConfig } = await import('../app/config.ts');
  const { publicUrl, port } = parseConfig(process.env);
  return `${publicUrl ?? `http://localhost:${port}`}/console${path}`;
};
