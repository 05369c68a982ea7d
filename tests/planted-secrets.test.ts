/**
 * Secrets are planted in every setting that may contain one and in everything that a registry keeps, and must not appear in messages, the log,
 * metrics, traces, error responses, mail of others, the database or a backup.
 */
import { join } from "node:path";
import { startFeedServer, startTraceCollector, startWebhookReceiver } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { allSettings, type SettingName, settingNamed } from "../packages/server/src/config/all-settings.ts";
import { resolveServiceSettings, settingsInForce } from "../packages/server/src/config/resolve-service-settings.ts";
import type { SettingKind } from "../packages/server/src/config/setting-kind.ts";
import {
  environmentName,
  type GivenSettings,
  settingsOfEnvironment,
  settingsOfFile,
  settingsOfFlags,
} from "../packages/server/src/config/settings.ts";
import { findPlanted, type Planted } from "./support/planted.ts";
import {
  failingRequests,
  filesOf,
  newSecrets,
  nowhere,
  PlantedClient,
  plantedEnvironment,
} from "./support/planted-registry.ts";
import { type Running, runPlimsoll, startPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const secret = "planted7Xq";

/** Correct and wrong addresses with a secret. */
const addresses = [
  `https://user:${secret}@127.0.0.1:1/path?token=${secret}#${secret}`,
  `https://user:${secret}@127.0.0.1:99999/`,
  `https://user:${secret}/x?y#z@127.0.0.1/`,
  `https//user:${secret}@127.0.0.1`,
  `user:${secret}@127.0.0.1:1`,
  `ftp://user:${secret}@127.0.0.1`,
  `s3://user:${secret}@bucket/prefix`,
  `postgres://user:${secret}@127.0.0.1:bad/x?password=${secret}`,
  `host=127.0.0.1 password=${secret}`,
  `https://127.0.0.1/?token=${secret}`,
];

/** Mistyped addresses of a database, which could be paths. */
const databases = [
  `postgres:/user:${secret}@127.0.0.1/x`,
  `"postgres://user:${secret}@127.0.0.1/x"`,
  `sqlite3:${secret}`,
  `sqlite:postgres://user:${secret}@127.0.0.1/x`,
];

/** Values for settings that are lists and objects. */
const nested = [
  ...[`{"a":"https://u:${secret}@h"`, `["ftp://u:${secret}@h"]`, `{"a":["ftp://u:${secret}@h"]}`],
  `{"a":"ftp://u:${secret}@h"}`,
];

const names = Object.keys(allSettings) as readonly SettingName[];
const kindOf = (name: SettingName): SettingKind<unknown> => settingNamed(name).kind;

/** The message, or what is shown of the settings in force. */
function shownOf(sources: {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: object;
}): string {
  const { flags = {}, env = {}, file } = sources;
  try {
    const files: GivenSettings = file === undefined ? {} : settingsOfFile("plimsoll.yaml", file);
    const environment = settingsOfEnvironment(env);
    const inForce = settingsInForce({ flags: settingsOfFlags(flags), environment, files, fileOf: {} });
    const isShown = ({ name }: { readonly name: string }) =>
      kindOf(name as SettingName).isSecret || kindOf(name as SettingName).isAddress;
    resolveServiceSettings(flags, files, { env });
    return JSON.stringify(inForce.filter(isShown));
  } catch (error) {
    return (error as Error).message;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [text];
  }
}

describe("what is said of a setting", () => {
  it.each(names.map((name) => ({ name })))("$name", ({ name }) => {
    const secrets = kindOf(name).isSecret ? [secret, `${secret} x`, `"${secret}`] : [];

    for (const value of [...addresses, ...nested, ...secrets, ...(name === "database" ? databases : [])]) {
      const ways = [
        { flags: { [name]: value } },
        { env: { [environmentName(name)]: value } },
        { file: { [name]: value } },
        { file: { [name]: parsed(value) } },
      ];
      for (const way of ways) {
        expect(findPlanted(shownOf(way), { secret }), JSON.stringify(way)).toEqual([]);
        const both = { ...way, env: { ...way.env, ...without(name) } };
        expect(findPlanted(shownOf(both), { secret }), JSON.stringify(way)).toEqual([]);
      }
    }
  });
});

/** Settings that let another one be read: without them, the first message is about what is missing. */
function without(name: SettingName): Readonly<Record<string, string>> {
  const others = {
    PLIMSOLL_NOTIFICATION_CALLBACK: "https://scanner.example/",
    ...(name.startsWith("amqp") || name.startsWith("stomp")
      ? {}
      : { PLIMSOLL_WEBHOOK_TARGET: "https://hooks.example" }),
  };
  return Object.fromEntries(Object.entries(others).filter(([variable]) => variable !== environmentName(name)));
}

const broken: readonly (readonly [file: string, content: string])[] = [
  ["open.yaml", `smtpUrl: "smtp://u:${secret}@h\nport: 1`],
  ["nested.yaml", `secretKey: ${secret}: x`],
  ["escape.yaml", `secretKey: "\\q${secret}"`],
  ["alias.yaml", `secretKey: *${secret}`],
  ["tag.yaml", `secretKey: !${secret} x`],
  ["twice.yaml", `authKey: 1\nauthKey: ${secret}`],
  ["flow.yaml", `httpsProxy: [${secret}`],
  ["reserved.yaml", `authKey: @${secret}`],
  ["text.yaml", secret],
  ["word.json", `{"secretKey": ${secret}}`],
  ["comma.json", `{"webhookHeaders":{"a":"${secret}"},}`],
  ["end.json", `{"webhookTarget":"https://${secret}`],
];

describe("what is said of a configuration file that cannot be read", () => {
  it.each(broken)("%s", async (file, content) => {
    using folder = tempFolder();

    const { code, stdout, stderr } = await runPlimsoll(["serve", "--config", folder.write(file, content)]);

    expect(code).toBe(2);
    expect(stderr).toContain(file);
    expect(findPlanted(stdout + stderr, { secret })).toEqual([]);
  });
});

const withPassword = `https://user:${secret}@${nowhere}/x?token=${secret}`;
const keywords = `host=127.0.0.1 password=${secret}`;

describe("what a command says of addresses with a secret", () => {
  it.each([
    ["serve", `--s3-secret-acces-key=${secret}`],
    ["serve", `--smtp-ulr=smtp//user:${secret}@h`],
    ["serve", "--database", `postgres://user:${secret}@${nowhere}/x?password=${secret}`],
    ["serve", "--database", keywords],
    ["serve", "--storage", withPassword],
    ["scan", withPassword],
    ["scan", `user:${secret}@${nowhere}/x:1`],
    ["scan", "--vex", withPassword, "/nowhere"],
    ["scan", "-o", withPassword, "/nowhere"],
    ["scan", "--db", `postgres://user:${secret}@${nowhere}/x`, "/nowhere"],
    ["index", withPassword],
    ["report", withPassword],
    ["db", "status", "--db", `postgres://user:${secret}@${nowhere}/x?password=${secret}`],
    ["db", "status", "--db", keywords],
    ["db", "update", "--db", "DB", "--feed", `debian:${withPassword}`],
    ["db", "update", "--db", "DB", "--feed", `debian=${withPassword}`],
    ["db", "update", "--db", "DB", "--offline", "--feed", `debian=http://${nowhere}/?token=${secret}`],
    ["db", "import", "--db", "DB", withPassword],
    ["db", "export", "--db", "DB", withPassword],
    ["jobs", "list", "--database", `postgres://user:${secret}@${nowhere}/x`],
    ["jobs", "list", "--database", keywords],
    ["admin", "backup", "--database", `postgres://user:${secret}@${nowhere}/x`, "/nowhere"],
    ["admin", "create-user", "someone", "--database", keywords],
    ["import", "registry", withPassword, "--token-file", "/nowhere"],
    ["import", "registry", "https://old.example", "--token-file", withPassword],
  ])("%j", async (...words) => {
    using folder = tempFolder();
    const env = { PLIMSOLL_CONFIG: "", PLIMSOLL_DATABASE_WAIT_SECONDS: "1", PLIMSOLL_DATA: folder.path };
    const given = words.map((word) => (word === "DB" ? join(folder.path, "plimsoll.db") : word));

    const { stdout, stderr } = await runPlimsoll(given, { env });

    expect(stdout + stderr).not.toBe("");
    expect(findPlanted(stdout + stderr, { secret })).toEqual([]);
  });
});

/** What the log contains when the work that has to fail has failed. */
const failures = ['"update_failed"', '"dependency":"mail"', '"registry.sync-mirror"'] as const;

describe("a registry with secrets", () => {
  it("shows none of them in its log, metrics, traces, errors, database and backup", async () => {
    using folder = tempFolder();
    await using collector = await startTraceCollector();
    await using feeds = await startFeedServer();
    await using hooks = await startWebhookReceiver();
    const [planted, data, backup] = [newSecrets(), join(folder.path, "data"), join(folder.path, "backup")];
    const env = plantedEnvironment(planted, { folder: data, traces: collector.endpoint, feeds: feeds.url });
    const outputs: Record<string, string> = {};
    hooks.answer(500);
    const serving = startPlimsoll(["serve"], env);
    let made: Planted;
    try {
      const { address, healthAddress } = await listening(serving);
      const client = new PlantedClient(address);
      made = await client.plant(planted, hooks.url);
      outputs.errors = (await Promise.all(failingRequests(planted).map((each) => client.send(each)))).join("\n");
      const missing = () => failures.filter((text) => !serving.stderr().includes(text));
      await expect.poll(missing).toEqual([]);
      await hooks.called(1);
      outputs.metrics = await (await fetch(`${healthAddress}/metrics`)).text();
      outputs.readiness = await (await fetch(`${healthAddress}/readyz`)).text();
      outputs.usageLog = JSON.stringify(await client.call("GET", "/user/logs"));
      outputs.settings = JSON.stringify(await client.call("GET", "/superuser/settings"));
    } finally {
      await serving[Symbol.asyncDispose]();
    }
    outputs.log = serving.stderr();
    outputs.traces = JSON.stringify(collector.spans);
    outputs.data = filesOf(data);
    const saved = await runPlimsoll(["admin", "backup", backup], { env });
    outputs.backup = `${saved.stdout}${saved.stderr}${filesOf(backup)}`;

    expect(saved.code).toBe(0);
    expect(Object.entries(outputs).filter(([, text]) => text.length < 100)).toEqual([]);
    const found = Object.entries(outputs).map(([name, text]) => [name, findPlanted(text, { ...planted, ...made })]);
    expect(found.filter(([, secrets = []]) => secrets.length > 0)).toEqual([]);
  });
});

/** The addresses of the line that a server logs when it listens. */
async function listening(serving: Running): Promise<{ readonly address: string; readonly healthAddress: string }> {
  const [line] = (await serving.until(/^\{.*"event":"listening"\}$/m)) ?? [];
  if (line === undefined) throw new Error(serving.stderr());
  return JSON.parse(line);
}
