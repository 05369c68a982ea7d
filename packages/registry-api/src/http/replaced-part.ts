import { hash } from "node:crypto";
import { remember } from "@plimsoll/http";
import type { TObject, TSchema } from "typebox";
import type { RegistryOperation } from "../operation.ts";

/** The part of a read operation's response that an update replaces. */
export interface ReplacedPart {
  readonly read: RegistryOperation;
  /** The entity tag of a response, without quotes. It changes only with the replaced members. */
  tagOf(answer: unknown): string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds the replaced part for each operation on a resource that can be read and replaced: the members of the response that the body of
 * the update has, too. Other members, such as the state of a mirror or the tags of a repository, also change without a request, so a
 * difference in them must not refuse an update.
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

/** The updates of each read operation. Several updates may each replace a part of it; the entity tag changes with every one. */
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

/** The operation that reads what an update replaces: the one that the update declares, or else the one at the same path. */
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

/** The members of an object schema, or of a list's items. */
function objectOf(schema: TSchema | undefined): TObject["properties"] {
  const { properties, items } = (schema ?? {}) as Partial<TObject> & { readonly items?: TSchema };
  return properties ?? (items === undefined ? {} : objectOf(items));
}

function membersOf(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => membersOf(each, names));
  return names.map((name) => (value as Json | null)?.[name] ?? null);
}

/** Cached for short texts, so that they are not hashed at each reading. */
const tagOfText = remember((text) => hash("sha256", text ?? "", "base64url").slice(0, 22));
