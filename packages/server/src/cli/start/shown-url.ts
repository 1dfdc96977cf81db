// The address to show people: one they can open, rather than the one the socket is bound to.

const ANY_OR_THIS_MACHINE = new Set(['0.0.0.0', '[::]', '127.0.0.1', '[::1]']);

export const shownUrl = (publicUrl: string | undefined, listeningUrl: string): string => {
  if (publicUrl !== undefined) return publicUrl;
  const { protocol, hostname, port } = new URL(listeningUrl);
  return ANY_OR_THIS_MACHINE.has(hostname) ? `${protocol}//localhost:${port}` : listeningUrl;
};
