// Sends invitation and password reset links by e-mail, if a mail server is configured.
import { createTransport } from 'nodemailer';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Rejects if the mail server refuses the message. */
  send(message: MailMessage): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** `smtps://user:password@host:465`, or `smtp://host:587`, which uses STARTTLS if the server supports it. */
export const openSmtpMailer = (url: string, from: string): Mailer => {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Message content must never be read from files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      // In object form, an address cannot inject recipients or headers.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
};

export const passwordResetMail = (to: string, link: string): MailMessage => ({
  to,
  subject: 'A new password for Faircopy',
  text: [
    'Someone, probably you, asked to reset your password for the Faircopy console.',
    '',
    `Choose a new password: ${link}`,
    '',
    'The link works once and expires in one day. If you did not ask for it, ignore this message.',
    '',
  ].join('\n'),
});

export const invitationMail = (to: string, { link, account }: { link: string; account: string }): MailMessage => ({
  to,
  subject: 'An invitation to Faircopy',
  text: [
    `You are invited to the account "${account}" on Faircopy, a speech transcription service.`,
    '',
    `Accept here: ${link}`,
    '',
    'The link works once and expires in seven days.',
    '',
  ].join('\n'),
});
