// Offers text as a file download.

export const saveText = (text: string, type: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Gives the browser time to start the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
