import type { Mail, Mailer } from "@plimsoll/registry/ports";
import { loadLibrary } from "./load-library.ts";

/** The server that mail is sent through. */
export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps:` for TLS from the beginning. */
  readonly url: string;
  /** The sender of every message. */
  readonly from: string;
  /** Whether plain connections must be encrypted with STARTTLS; true where absent. Use false only for servers in the own network. */
  readonly requireTls?: boolean;
}

/** How long a server may take for each step, in milliseconds. */
const patienceMs = 15_000;

/**
 * Sends mail through an SMTP server. Connections are kept for the next messages. Dispose of it to close them.
 * @example
 * await using mailer = openSmtpMailer({ url: "smtps://registry:secret@mail.example.com", from: "registry@example.com" });
 * await mailer.send({ to: "anna@example.com", subject: "Hello", text: "The registry can send mail." });
 */
export function openSmtpMailer({ url, from, requireTls = true }: SmtpOptions): Mailer & AsyncDisposable {
  const opening = loadLibrary("nodemailer", import("nodemailer")).then(({ createTransport }) =>
    createTransport({
      url,
      pool: true,
      maxConnections: 2,
      requireTLS: requireTls && url.startsWith("smtp:"),
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  opening.catch(() => {}); // each message fails with the reason
  return {
    async send({ to, subject, text }: Mail, { signal } = {}) {
      if (/[\r\n]/.test(to + subject)) throw new Error("the receiver or the subject of a message has a line break");
      const transport = await opening;
      signal?.throwIfAborted();
      // An object is always one address; a text could be a list of addresses.
      const message = { from, to: { name: "", address: to }, subject, text };
      try {
        await transport.sendMail({ ...message, signal }); // nodemailer closes the connection
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      const transport = await opening.catch(() => undefined);
      transport?.close();
    },
  };
}
