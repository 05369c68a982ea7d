import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { describe, expect, it } from "vitest";
import { startSmtpSink as listen } from "../../registry-api/src/fixtures/smtp-sink.ts";
import { openSmtpMailer } from "./mail.ts";

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

  it.each([
    { when: "while the server does not greet", says: "", heard: 0 },
    { when: "while the server does not answer the greeting", says: "220 hello\r\n", heard: 1 },
  ])("closes the connection when it is aborted, $when, and sends the next message over another one", async (row) => {
    let isSilent = true;
    const sockets: Socket[] = [];
    const heard: string[] = [];
    await using sink = await listen();
    const server = createServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      if (!isSilent) return void pipeline(socket, connect(sink.port, "127.0.0.1"), socket, () => {});
      socket.write(row.says);
      socket.on("data", (data) => heard.push(String(data)));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const from = "registry@example.com";
    await using mailer = openSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from, requireTls: false });
    const stop = new AbortController();

    const refused = expect(mailer.send(mail, { signal: stop.signal })).rejects.toThrow("enough");
    await expect.poll(() => [sockets.length, heard.length]).toEqual([1, row.heard]);
    const closed = once(sockets[0] as Socket, "close");
    stop.abort(new Error("enough"));

    await refused;
    sockets[0]?.resume();
    await closed;
    await expect(mailer.send(mail, { signal: stop.signal })).rejects.toThrow("enough");
    expect(sockets).toHaveLength(1);
    isSilent = false;
    await mailer.send(mail, { signal: new AbortController().signal });
    expect(sink.received).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    server.close();
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
