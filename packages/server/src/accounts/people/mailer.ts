// Sends the console's links by e-mail, where the operator has set a mail server.
import { createTransport } from 'nodemailer';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Rejects when the mail server did not take it. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** `smtps://user:password@host:465`, or `smtp://host:587` with STARTTLS where the server has it. */
export const openSmtpMailer = (url: string, from: string): Mailer => {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Letters hold links: nothing of them is read from files or other addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      // The object form is taken as it is: an address cannot add recipients or headers.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
};

export const resetLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'A new password for Faircopy',
  text: [
    'Somebody, probably you, asked for a new password for the Faircopy console.',
    '',
    `Choose it here: ${link}`,
    '',
    'The link works once, for a day. If it was not you, do nothing: your password stays as it is.',
    '',
  ].join('\n'),
});

export const invitationLetter = (to: string, { link, account }: { link: string; account: string }): Letter => ({
  to,
  subject: 'An invitation to Faircopy',
  text: [
    `You are invited to the account "${account}" on Faircopy, a speech transcription service.`,
    '',
    `Accept here: ${link}`,
    '',
    'The link works once, for seven days.',
    '',
  ].join('\n'),
});
