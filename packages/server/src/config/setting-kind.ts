import { colourModes } from "../render/colour.ts";
import { nearestWord } from "./nearest-word.ts";

/** Parses a setting's value from text (flag, environment) or from JSON (file); undefined for a malformed one. */
export interface SettingKind<Value> {
  fromText(text: string): Value | undefined;
  fromJson(json: unknown): Value | undefined;
  readonly expected: string;
  /** The words that are its values, if there are no others. */
  readonly words?: readonly string[];
  /** Whether the value is several of these words. */
  readonly isList?: boolean;
  /** What is wrong inside of a malformed value, if the kind can say that. It shows names of members, but no values. */
  problemOf?(found: unknown): string | undefined;
  /** Whether messages and listings must not show the value. */
  readonly isSecret?: boolean;
  /** Whether the value is an address, or contains some, in which users write credentials. */
  readonly isAddress?: boolean;
}

/** Any text except the empty one. */
export const text: SettingKind<string> = {
  fromText: (given) => (given === "" ? undefined : given),
  fromJson: (json) => (typeof json === "string" && json !== "" ? json : undefined),
  expected: "a string",
};

/** Any text except the empty one; the value is never shown. */
export const secret: SettingKind<string> = { ...text, expected: "a string", isSecret: true };

/** An address, a path, or several in one text; only what is free of credentials is shown. */
export const address: SettingKind<string> = { ...text, isAddress: true };

/** A boolean. */
export const flag: SettingKind<boolean> = {
  fromText: (given) => ({ 1: true, true: true, 0: false, false: false })[given.toLowerCase()],
  fromJson: (json) => (typeof json === "boolean" ? json : undefined),
  expected: "true or false",
};

/** A number from 0 to 1. */
export const ratio: SettingKind<number> = {
  fromText: (given) => ratio.fromJson(given.trim() === "" ? undefined : Number(given)),
  fromJson: (json) => (typeof json === "number" && json >= 0 && json <= 1 ? json : undefined),
  expected: "a number from 0 to 1",
};

/** A number of days. */
export const days: SettingKind<number> = {
  fromText: (given) => days.fromJson(given.trim() === "" ? undefined : Number(given)),
  fromJson: (json) => (typeof json === "number" && Number.isFinite(json) && json > 0 ? json : undefined),
  expected: "a number of days above 0",
};

/** A list of words; in text separated by white space. */
export const texts: SettingKind<readonly string[]> = {
  fromText: (given) => given.split(/\s+/).filter((word) => word !== ""),
  fromJson: (json) => (Array.isArray(json) && json.every((item) => typeof item === "string") ? json : undefined),
  expected: "a list of strings",
};

/** A list of names, hosts or networks, which have no commas; in text separated by white space or commas. */
export const names: SettingKind<readonly string[]> = {
  ...texts,
  fromText: (given) => texts.fromText(given.replaceAll(",", " ")),
};

/** A list of addresses; in text separated by white space. */
export const addresses: SettingKind<readonly string[]> = { ...texts, isAddress: true };

/** The name of a host as clients use it, with its port where that is not the scheme's own. */
export const host: SettingKind<string> = {
  fromText: (given) => (isHost(given) ? given : undefined),
  fromJson: (json) => (typeof json === "string" ? host.fromText(json) : undefined),
  expected: "HOST or HOST:PORT",
};

/** A list of {@link host}s; in text separated by white space or commas. */
export const hosts: SettingKind<readonly string[]> = {
  fromText: (given) => hosts.fromJson(names.fromText(given)),
  fromJson: (json) => (texts.fromJson(json)?.every(isHost) ? (json as readonly string[]) : undefined),
  expected: "a list of hosts, each HOST or HOST:PORT",
};

function isHost(text: string): boolean {
  return /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-fA-F:.]+\](?::\d{1,5})?$/.test(text);
}

/** Lists of words by name. */
export const textLists: SettingKind<Readonly<Record<string, readonly string[]>>> = {
  fromText: (given) => parsedOrUndefined(given, textLists),
  fromJson: (json) =>
    isRecord(json) && Object.values(json).every((item) => texts.fromJson(item))
      ? (json as Record<string, string[]>)
      : undefined,
  expected: "an object of lists of strings",
};

/** A text by name. */
export const textMap: SettingKind<Readonly<Record<string, string>>> = {
  fromText: (given) => parsedOrUndefined(given, textMap),
  fromJson: (json) =>
    isRecord(json) && Object.values(json).every((item) => text.fromJson(item))
      ? (json as Record<string, string>)
      : undefined,
  expected: "an object of strings",
};

/** When output is coloured. */
export const colour: SettingKind<(typeof colourModes)[number]> = {
  fromText: (given) => colourModes.find((mode) => mode === given),
  fromJson: (json) => (typeof json === "string" ? colour.fromText(json) : undefined),
  expected: colourModes.join(", "),
};

/** A TCP port; 0 means any free port. */
export const port: SettingKind<number> = wholeNumber(0, 65_535, "a port number");

/** A whole number above 0. */
export const count: SettingKind<number> = wholeNumber(1, Number.MAX_SAFE_INTEGER, "a whole number above 0");

/** A number of seconds, which may be 0. */
export const wholeSeconds: SettingKind<number> = wholeNumber(0, 86_400, "a whole number of seconds up to 86400");

/** Whole numbers above 0 by name; every name is optional. */
export function countsOf<const Name extends string>(
  names: readonly Name[],
): SettingKind<Readonly<Partial<Record<Name, number>>>> {
  return membersOf(names, count, "whole numbers above 0");
}

/** Booleans by name; every name is optional. */
export function flagsOf<Name extends string>(
  names: readonly Name[],
): SettingKind<Readonly<Partial<Record<Name, boolean>>>> {
  return membersOf(names, flag, "true and false");
}

function membersOf<Name extends string, Value>(
  names: readonly Name[],
  member: SettingKind<Value>,
  values: string,
): SettingKind<Readonly<Partial<Record<Name, Value>>>> {
  const problemOfMember = ([name, value]: readonly [string, unknown]) => {
    if (!names.some((known) => known === name))
      return `there is no member "${name.slice(0, 100)}"; did you mean "${nearestWord(name.slice(0, 100), names)}"?`;
    return member.fromJson(value) === undefined ? `${name}: expected ${member.expected}` : undefined;
  };
  const problemOf = (json: unknown) =>
    isRecord(json)
      ? Object.entries(json)
          .map(problemOfMember)
          .find((problem) => problem !== undefined)
      : undefined;
  const kind: SettingKind<Readonly<Partial<Record<Name, Value>>>> = {
    fromText: (given) => parsedOrUndefined(given, kind),
    fromJson: (json) =>
      isRecord(json) && problemOf(json) === undefined ? (json as Partial<Record<Name, Value>>) : undefined,
    expected: `an object of ${values}, of ${names.join(", ")}`,
    problemOf: (found) => problemOf(typeof found === "string" ? parsedJson(found) : found),
  };
  return kind;
}

/** A secret in standard base64. */
export const base64: SettingKind<string> = {
  fromText: (given) => base64.fromJson(given),
  fromJson: (json) =>
    typeof json === "string" &&
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(json) &&
    json !== ""
      ? json
      : undefined,
  expected: "standard base64",
  isSecret: true,
};

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  const find = (given: unknown) => words.find((word) => word === given);
  return { fromText: find, fromJson: find, expected: words.join(", "), words };
}

/** One or more of the given words, separated by commas or blanks; in JSON also a list of such texts. */
export function someOf<Word extends string>(words: readonly Word[]): SettingKind<readonly Word[]> {
  const fromText = (text: string) => {
    const given = new Set(text.split(/[\s,]+/).filter((word) => word !== ""));
    const known = words.filter((word) => given.has(word));
    return known.length > 0 && known.length === given.size ? known : undefined;
  };
  return {
    fromText,
    fromJson: (json) => (typeof json === "string" ? fromText(json) : fromText((texts.fromJson(json) ?? []).join(","))),
    expected: `some of ${words.join(", ")}`,
    words,
    isList: true,
  };
}

function wholeNumber(least: number, most: number, expected: string): SettingKind<number> {
  const check = (value: unknown) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined;
  return { fromText: (given) => (/^\d+$/.test(given) ? check(Number(given)) : undefined), fromJson: check, expected };
}

function parsedOrUndefined<Value>(given: string, kind: SettingKind<Value>): Value | undefined {
  return kind.fromJson(parsedJson(given));
}

/** A value of JSON, none of which is undefined; undefined for another text. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A proxy's address, which may contain a user name and a password. */
export const proxyAddress: SettingKind<string> = {
  fromText: (given) => (/^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined),
  fromJson: (json) => (typeof json === "string" ? proxyAddress.fromText(json) : undefined),
  expected: "a proxy's address, http://HOST:PORT",
  isSecret: true,
};
