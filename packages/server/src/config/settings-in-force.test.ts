import { describe, expect, it } from "vitest";
import { allSettings, type SettingName, settingNamed } from "./all-settings.ts";
import { type SettingSources, settingsInForce } from "./resolve-service-settings.ts";
import type { GivenSettings } from "./settings.ts";

const nothing: SettingSources = { flags: {}, environment: {}, files: {}, fileOf: {} };

/** What is shown of a setting. */
function told(name: SettingName, sources: Partial<SettingSources>) {
  return settingsInForce({ ...nothing, ...sources }).find((each) => each.name === name);
}

describe("settingsInForce", () => {
  it("names every setting once, with its group, its meaning and its default", () => {
    const settings = settingsInForce(nothing);

    expect(settings.map(({ name }) => name)).toEqual(Object.keys(allSettings));
    expect(settings.every(({ source, value }) => source === "default" && value === undefined)).toBe(true);
    expect(settings.every(({ group, meaning, default: otherwise }) => group && meaning && otherwise)).toBe(true);
  });

  it.each([
    [{ flags: { port: 1 }, environment: { port: 2 }, files: { port: 3 } }, "flag", "1"],
    [{ environment: { port: 2 }, files: { port: 3 } }, "environment", "2"],
    [{ files: { port: 3 }, fileOf: { port: "a.yaml" } }, "file", "3"],
    [{}, "default", undefined],
  ] as const)("says where the value that holds was given: %j", (sources, source, value) => {
    expect(told("port", sources)).toMatchObject({ source, ...(value && { value }) });
    expect(told("port", sources)?.file).toBe(source === "file" ? "a.yaml" : undefined);
  });

  it.each([
    ["database", "postgres://me:sesame@db.example/p?password=sesame", "postgres://db.example/p"],
    ["database", "sqlite:/var/lib/plimsoll.db", "sqlite:/var/lib/plimsoll.db"],
    [
      "amqpUris",
      ["amqp://u:ses@me@mq.example/v", "amqps://mq2.example"],
      ["amqp://mq.example/v", "amqps://mq2.example"],
    ],
    [
      "feeds",
      { debian: "https://t:sesame@feeds.example/d?token=sesame#sesame" },
      { debian: "https://feeds.example/d" },
    ],
    ["indexerAddress", "http://a:sesame@one, http://b:sesame@two", "http://one, http://two"],
    ["mirrors", { "docker.io": ["https://x@mirror.example"] }, { "docker.io": ["https://mirror.example"] }],
    ["registryContact", "admin@example.com", "admin@example.com"],
  ] as const)("shows %s without credentials", (name, given, shown) => {
    expect(told(name, { files: { [name]: given } })?.value).toBe(JSON.stringify(shown));
  });

  it("shows only that a secret was given, whatever its source", () => {
    const names = Object.keys(allSettings) as SettingName[];
    const secrets = names.filter((name) => settingNamed(name).kind.isSecret);
    const given = Object.fromEntries(secrets.map((name) => [name, "sesame"])) as unknown as GivenSettings;

    const all = (["flags", "environment", "files"] as const).flatMap((where) =>
      settingsInForce({ ...nothing, [where]: given }).filter(({ isSecret }) => isSecret),
    );

    expect(secrets).toEqual(
      expect.arrayContaining([
        "authKey",
        "ldapBindPassword",
        "oidcProviders",
        "s3SecretAccessKey",
        "secretKey",
        "smtpUrl",
      ]),
    );
    expect(secrets).toEqual(expect.arrayContaining(["stompPasscode", "webhookHeaders", "webhookTarget"]));
    expect(all.every(({ source }) => source !== "default")).toBe(true);
    expect(JSON.stringify(all)).not.toContain("sesame");
  });

  it("shows the examples of the reference unchanged, except secrets and URLs with credentials", () => {
    const exampleOf = (name: string) => settingNamed(name as SettingName).example;
    const examples: GivenSettings = Object.fromEntries(Object.keys(allSettings).map((name) => [name, exampleOf(name)]));

    for (const { name, value, isSecret } of settingsInForce({ ...nothing, files: examples })) {
      const example = exampleOf(name);
      if (example === undefined || isSecret || JSON.stringify(example).includes("@")) continue;
      expect(value, name).toBe(JSON.stringify(example));
    }
  });
});
