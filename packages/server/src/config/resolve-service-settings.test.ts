import { describe, expect, it } from "vitest";
import { resolveServiceSettings, type ServiceFlags } from "./resolve-service-settings.ts";

const resolve = (flags: ServiceFlags, env: Record<string, string> = {}) =>
  resolveServiceSettings(flags, { env: { HOME: "/home/u", ...env } });
const callback = { PLIMSOLL_NOTIFICATION_CALLBACK: "https://s.example/notifier/api/v1/notification/" };

describe("resolveServiceSettings", () => {
  it("needs nothing to be told", () => {
    expect(resolve({})).toMatchObject({
      host: "127.0.0.1",
      port: 6060,
      healthPort: 6061,
      modes: ["all"],
      vendor: "scanner",
    });
    expect(resolve({}).database).toMatch(/^sqlite:.*plimsoll\.db$/);
    expect(resolve({})).not.toHaveProperty("auth");
  });

  it("takes flags before the environment", () => {
    const env = { PLIMSOLL_PORT: "1", PLIMSOLL_HOST: "::1", PLIMSOLL_MODE: "indexer matcher" };

    expect(resolve({ port: "0" }, env)).toMatchObject({
      port: 0,
      healthPort: 0,
      host: "::1",
      modes: ["indexer", "matcher"],
    });
    expect(resolve({ mode: ["notifier"], data: "/d" }, env)).toMatchObject({
      modes: ["notifier"],
      database: "sqlite:/d/plimsoll.db",
    });
  });

  it("never updates feeds offline", () => {
    expect(resolve({}).updatePeriodSeconds).toBe(21_600);
    expect(resolve({}, { PLIMSOLL_OFFLINE: "1" })).not.toHaveProperty("updatePeriodSeconds");
  });

  it("decodes the key", () => {
    const env = { PLIMSOLL_AUTH_KEY: "c2VjcmV0", PLIMSOLL_AUTH_ISSUERS: "quay other" };

    expect(resolve({}, env).auth).toEqual({ key: Buffer.from("secret"), issuers: ["quay", "other"] });
  });

  it.each([
    [{ PLIMSOLL_WEBHOOK_TARGET: "https://r.example/hook" }, { kind: "webhook", target: "https://r.example/hook" }],
    [
      { PLIMSOLL_AMQP_URIS: "amqp://a amqp://b", PLIMSOLL_AMQP_ROUTING_KEY: "k", PLIMSOLL_DIRECT_ROLLUP: "5" },
      { kind: "amqp", uris: ["amqp://a", "amqp://b"], exchange: "", routingKey: "k", direct: { rollup: 5 } },
    ],
    [
      {
        PLIMSOLL_STOMP_ADDRESSES: "a:1",
        PLIMSOLL_STOMP_DESTINATION: "/queue/q",
        PLIMSOLL_STOMP_LOGIN: "u",
        PLIMSOLL_STOMP_PASSCODE: "p",
        PLIMSOLL_STOMP_TLS: "1",
      },
      { kind: "stomp", addresses: ["a:1"], destination: "/queue/q", user: { login: "u", passcode: "p" }, tls: true },
    ],
  ])("delivers as %j says", (env, delivery) => {
    const { notifications } = resolve({}, { ...callback, ...env });

    expect(notifications).toEqual({
      callback: "https://s.example/notifier/api/v1/notification",
      mode: "summary",
      pollPeriodSeconds: 21_600,
      delivery,
    });
  });

  it("shows no secret", () => {
    expect(() => resolve({}, { PLIMSOLL_AUTH_KEY: "pass word" })).not.toThrow("pass");
    expect(() => resolve({}, { PLIMSOLL_AUTH_KEY: "pass word" })).toThrow("PLIMSOLL_AUTH_KEY");
  });

  it.each<[ServiceFlags, Record<string, string>, string]>([
    [{ port: "x" }, {}, "--port: expected a port number"],
    [{ port: "65536" }, {}, "--port: expected a port number"],
    [{ mode: ["other"] }, {}, "--mode: expected some of all, indexer, matcher, notifier"],
    [{ vendor: "A B" }, {}, "vendor: expected lower-case letters"],
    [{ indexerAddress: "indexer:6060" }, {}, "indexerAddress: expected http://HOST:PORT"],
    [{ tlsKey: "k" }, {}, "tlsCertificate and tlsKey: expected both"],
    [{}, { PLIMSOLL_AUTH_KEY: "?" }, "PLIMSOLL_AUTH_KEY: expected standard base64"],
    [{}, { PLIMSOLL_AUTH_KEY: "c2VjcmV0" }, "authKey without authIssuers"],
    [{}, { PLIMSOLL_AUTH_ISSUERS: "quay" }, "authIssuers without authKey"],
    [{}, { PLIMSOLL_WEBHOOK_TARGET: "http://r" }, "notificationCallback: expected http"],
    [{}, { ...callback, PLIMSOLL_AMQP_URIS: "amqp://a" }, "amqpRoutingKey is missing"],
    [
      {},
      { ...callback, PLIMSOLL_WEBHOOK_TARGET: "http://r", PLIMSOLL_AMQP_URIS: "a", PLIMSOLL_AMQP_ROUTING_KEY: "k" },
      "expected webhook or amqp, found both",
    ],
  ])("refuses %j and %j", (flags, env, message) => {
    expect(() => resolve(flags, env)).toThrow(message);
  });
});
