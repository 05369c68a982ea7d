import { describe, expect, it } from "vitest";
import { settingFlag } from "../cli/program/flags.ts";
import { resolveSettings } from "../cli/session.ts";
import { allSettings, defaultsInto, meaningOf, namesInto, type SettingName, settingNamed } from "./all-settings.ts";
import { resolveServiceSettings } from "./resolve-service-settings.ts";
import { settingsOfFile } from "./settings.ts";

const names = Object.keys(allSettings) as SettingName[];

describe("meaningOf", () => {
  it.each(names)("has a meaning, a default and a valid example for %s", (name) => {
    const { meaning, default: usual, example } = meaningOf(name);

    expect(meaning).toMatch(/^[A-Z`].{10,}\.$/);
    expect(usual).not.toBe("");
    expect(settingNamed(name).kind.fromJson(example)).toBeDefined();
  });

  it("has values, and not words, for what is a value", () => {
    const inWords = names.filter((name) => settingNamed(name).default === undefined);

    expect(inWords.filter((name) => /^(?:true|false|[\d.]+|".*")$/.test(meaningOf(name).default))).toEqual([]);
  });

  it("has numbers in words only where they come from what takes effect", () => {
    const withNumbers = names.filter((name) => /\b\d/.test(settingNamed(name).otherwise ?? ""));

    expect(withNumbers).toEqual(derived);
  });
});

/** Settings whose words are made of the constants that take effect. */
const derived: readonly SettingName[] = [
  "updatePeriodSeconds",
  "layerThreads",
  "limits",
  "pollPeriodSeconds",
  "buildLimits",
];

describe("settingFlag", () => {
  it.each<[SettingName, flags: string, description: string, choices: readonly string[] | undefined]>([
    [
      "healthPort",
      "--health-port <port>",
      "the port of /healthz, /readyz and /metrics (by default the one after that of the API)",
      undefined,
    ],
    [
      "indexerAddress",
      "--indexer-address <url>",
      "the address of the indexer, for a process without an indexer",
      undefined,
    ],
    ["logLevel", "--log-level <level>", "how much to log (by default info)", ["error", "warn", "info", "debug"]],
    [
      "mode",
      "--mode <modes>",
      "services to run, comma-separated: all, indexer, matcher, notifier, registry, worker; repeatable (by default all)",
      undefined,
    ],
  ])("of %s is what the setting declares", (name, flags, description, choices) => {
    expect(settingFlag(name)).toMatchObject({ flags, description, argChoices: choices });
  });

  it("is undefined for a setting without a flag", () => {
    expect(settingFlag("registryHost")).toBeUndefined();
  });
});

/** The example of a setting, or another value than its default. */
function otherValue(name: SettingName): unknown {
  const { default: value, example } = settingNamed(name);
  if (example !== undefined && example !== value) return example;
  return typeof value === "number" ? value + 7 : otherTexts[name];
}

const otherTexts: Readonly<Partial<Record<SettingName, string>>> = {
  host: "::1",
  vendor: "acme",
  compatibility: "reference",
  logLevel: "debug",
};

/** Settings that exclude each other: of each group, one is tried with all other settings. */
const alternatives = ["webhook", "amqp", "stomp"];

/** The settings of the service, or what is wrong with them. @param more values that are given as they are */
function resolved(names: readonly SettingName[], more: object = {}): string {
  try {
    const others = Object.fromEntries(names.map((name) => [name, otherValue(name)]));
    const given = settingsOfFile("plimsoll.json", { ...others, ...more });
    return JSON.stringify(resolveServiceSettings({}, given, { env: {} }));
  } catch (error) {
    return (error as Error).message;
  }
}

function hasDefault(name: SettingName): boolean {
  return settingNamed(name).default !== undefined && !ofMachine.has(name);
}

/** What depends on the memory of the machine, and is tested with `threadsThatFit`. */
const ofMachine: ReadonlySet<SettingName> = new Set(["layerThreads"]);

/** Settings of commands only: {@link resolveSettings} has all of them. */
const ofCommands = names
  .slice(0, names.indexOf("data"))
  .filter((name) => !namesInto("service").some((each) => each === name));

describe("a setting takes effect", () => {
  const ofServices = names.filter((name) => !ofCommands.includes(name) && name !== "offline");
  const trials = alternatives.map((kept) => {
    const others = alternatives.filter((each) => each !== kept);
    const given = ofServices.filter((name) => !others.some((each) => name.startsWith(each)));
    return { given, result: resolved(given) };
  });

  it.each(ofServices)("of a service: without %s, the resolved settings are others", (name) => {
    const isUsed = ({ given, result }: (typeof trials)[number]) =>
      given.includes(name) &&
      (resolved(given.filter((each) => each !== name)) !== result || resolved([name]) !== resolved([]));

    expect(trials.some(isUsed)).toBe(true);
  });

  it.each(ofCommands)("of a command: %s", (name) => {
    const given = settingsOfFile("plimsoll.json", { [name]: otherValue(name) });
    const none: Readonly<Record<string, unknown>> = { ...resolveSettings({}, {}, { env: {} }) };

    expect({ ...resolveSettings(given, {}, { env: {} }) }).not.toEqual(none);
  });

  it.each(ofServices.filter(hasDefault))("of a service: %s given as its default is as if it were not given", (name) => {
    const others = [[], ...trials.map(({ given }) => given.filter((each) => each !== name))];
    const isUsed = (given: readonly SettingName[]) =>
      resolved([...given, name]).startsWith("{") && resolved([...given, name]) !== resolved(given);
    const [used = []] = others.filter(isUsed);

    expect(isUsed(used)).toBe(true);
    expect(resolved(used, { [name]: settingNamed(name).default })).toBe(resolved(used));
  });

  it.each(ofCommands.filter(hasDefault))("of a command: %s given as its default is as if it were not given", (name) => {
    const given = settingsOfFile("plimsoll.json", { [name]: settingNamed(name).default });

    expect({ ...resolveSettings(given, {}, { env: {} }) }).toEqual({ ...resolveSettings({}, {}, { env: {} }) });
  });

  it("as its default where none is given", () => {
    expect(resolveSettings({}, {}, { env: {} })).toMatchObject(defaultsInto("command"));
    expect(resolveServiceSettings({}, {}, { env: {} }).registry?.settings).toMatchObject(defaultsInto("registry"));
  });
});
