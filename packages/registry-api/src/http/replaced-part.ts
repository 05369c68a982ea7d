import { hash } from "node:crypto";
import { remember } from "@plimsoll/http";
import type { TObject, TSchema } from "typebox";
import type { RegistryOperation } from "../operation.ts";

/** What an update replaces of what an operation that reads answers. */
export interface ReplacedPart {
  readonly read: RegistryOperation;
  /** The entity tag of an answer, without quotes: the same as long as the update would replace the same. */
  tagOf(answer: unknown): string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds, for each operation on something that can be read and replaced, what is replaced: the members of the answer that the body of the
 * update has, too. What else is read, as the state of a mirror or the tags of a repository, changes by itself and is no reason to refuse.
 */
export function replacedParts(operations: readonly RegistryOperation[]): ReadonlyMap<string, ReplacedPart> {
  const parts = new Map<string, ReplacedPart>();
  for (const [read, updates] of updatesByRead(operations)) {
    const part = partOf(updates, read);
    if (part === undefined) continue;
    const paths = updates.map(({ path }) => path);
    parts.set(read.id, part);
    for (const { id, method, path } of operations) if (paths.includes(path) && method !== "POST") parts.set(id, part);
  }
  return parts;
}

/** Several updates may replace what one operation reads, each a part: the tag changes with every one of them. */
function updatesByRead(
  operations: readonly RegistryOperation[],
): ReadonlyMap<RegistryOperation, readonly RegistryOperation[]> {
  const found = operations.flatMap((update) => {
    const read = readOf(update, operations);
    return read === undefined ? [] : [{ read, update }];
  });
  const byRead = Map.groupBy(found, ({ read }) => read);
  return new Map([...byRead].map(([read, pairs]) => [read, pairs.map(({ update }) => update)]));
}

/** The operation that reads what an update replaces: at the same address, where the update names no other. */
function readOf(
  { method, path, replaces }: RegistryOperation,
  operations: readonly RegistryOperation[],
): RegistryOperation | undefined {
  if (method !== "PUT") return undefined;
  return operations.find((each) => (replaces ? each.id === replaces : each.method === "GET" && each.path === path));
}

function partOf(updates: readonly RegistryOperation[], read: RegistryOperation): ReplacedPart | undefined {
  const names = updates.flatMap(({ body, changingByThemselves = [] }) =>
    namesOf(body).filter((name) => !changingByThemselves.includes(name)),
  );
  const within = Object.entries<TSchema>(objectOf(read.result)).find(([, member]) => overlap(names, namesOf(member)));
  const tagOf = (pick: (answer: unknown) => unknown) => ({
    read,
    tagOf: (answer: unknown) => tagOfText(JSON.stringify(pick(answer))) ?? "",
  });
  if (overlap(names, namesOf(read.result))) return tagOf((answer) => membersOf(answer, names));
  const [member] = within ?? [];
  return member === undefined ? undefined : tagOf((answer) => membersOf((answer as Json)[member], names));
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => others.includes(name));
}

function namesOf(schema: TSchema | undefined): readonly string[] {
  return Object.keys(objectOf(schema));
}

/** The members of objects, or of those of a list. */
function objectOf(schema: TSchema | undefined): TObject["properties"] {
  const { properties, items } = (schema ?? {}) as Partial<TObject> & { readonly items?: TSchema };
  return properties ?? (items === undefined ? {} : objectOf(items));
}

function membersOf(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => membersOf(each, names));
  return names.map((name) => (value as Json | null)?.[name] ?? null);
}

/** A short text is hashed once and not at each reading. */
const tagOfText = remember((text) => hash("sha256", text ?? "", "base64url").slice(0, 22));
