import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { describe, expect, it } from "vitest";
import { openSmtpMailer } from "./smtp-mailer.ts";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly body: string;
}

/** A real SMTP server on loopback, without TLS. */
async function listen(user?: { readonly name: string; readonly password: string }) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: user ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    authOptional: user === undefined,
    onAuth: ({ username, password }, _, done) =>
      username === user?.name && password === user?.password ? done(null, { user: username }) : done(new Error("no")),
    async onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), body: await text(stream) });
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return { received, port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)) };
}

const mail = { to: "bob@example.com", subject: "Grüße", text: "Join us\r\n.\r\nsoon" };

describe("openSmtpMailer", () => {
  it("hands a message in, with the sender and the one receiver", async () => {
    await using server = await listen({ name: "u", password: "p" });
    await using mailer = openSmtpMailer({
      url: `smtp://u:p@127.0.0.1:${server.port}`,
      from: "registry@example.com",
      requireTls: false,
    });

    await mailer.send(mail);

    expect(server.received).toMatchObject([{ from: "registry@example.com", to: ["bob@example.com"] }]);
    expect(server.received[0]?.body).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(server.received[0]?.body).toContain("Join us");
  });

  it("fails where the server refuses", async () => {
    await using server = await listen({ name: "u", password: "p" });
    await using mailer = openSmtpMailer({
      url: `smtp://u:wrong@127.0.0.1:${server.port}`,
      from: "registry@example.com",
      requireTls: false,
    });

    await expect(mailer.send(mail)).rejects.toThrow();
    expect(server.received).toEqual([]);
  });

  it("sends nothing in clear text where TLS is required", async () => {
    await using server = await listen();
    await using mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from: "registry@example.com" });

    await expect(mailer.send(mail)).rejects.toThrow();
    expect(server.received).toEqual([]);
  });
});
