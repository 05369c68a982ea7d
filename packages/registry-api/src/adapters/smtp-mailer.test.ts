import { describe, expect, it } from "vitest";
import { startSmtpSink as listen } from "../fixtures/smtp-sink.ts";
import { openSmtpMailer } from "./smtp-mailer.ts";

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

  it.each([{ subject: "Hello\r\nBcc: eve@example.com" }, { to: "bob@example.com\nBcc: eve@example.com" }])(
    "refuses a line break in a header: %j",
    async (change) => {
      await using server = await listen();
      await using mailer = openSmtpMailer({
        url: `smtp://127.0.0.1:${server.port}`,
        from: "registry@example.com",
        requireTls: false,
      });

      await expect(mailer.send({ ...mail, ...change })).rejects.toThrow("line break");
      expect(server.received).toEqual([]);
    },
  );
});
