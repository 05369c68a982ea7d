import { createElement, Fragment } from "react";
import { Link } from "wouter";
import { imagePath, namespacePath, repositoryPath, vulnerabilityPath } from "../places.ts";
import { formatPercent, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { LogEntry } from "./log-calls.ts";
import { metadataText } from "./log-calls.ts";

const words = texts.logs.about;

/** A piece of a sentence: a text, or a link. */
export type Piece = string | { readonly text: string; readonly path: string };

/** What an entry of a usage log is about: a sentence with links. */
export function AboutEntry({ entry }: { readonly entry: Pick<LogEntry, "metadata"> }) {
  const pieces = aboutEntry(entry).map((piece) =>
    typeof piece === "string" ? piece : createElement(Link, { href: piece.path }, piece.text),
  );
  return createElement(Fragment, undefined, ...pieces); // in their places for good, so that they need no keys
}

/** What an entry is about, as the text of a file. */
export function aboutText(entry: Pick<LogEntry, "metadata">): string {
  return aboutEntry(entry)
    .map((piece) => (typeof piece === "string" ? piece : piece.text))
    .join("");
}

/** The pieces of the sentence: the image or repository, what a pull gate said of it, or all else that the entry has. */
export function aboutEntry({ metadata }: Pick<LogEntry, "metadata">): readonly Piece[] {
  const { namespace, repo, tag, manifest_digest: digest, pull_gate: gate, ...rest } = metadata;
  if (typeof namespace !== "string" || typeof repo !== "string") return [metadataText({ metadata })];
  const image = imageOf({ namespace, repo }, { tag, digest });
  if (isRecord(gate)) return [...aboutGate(gate, { namespace, repo }, image)];
  const others = metadataText({ metadata: { ...rest, ...(tag !== undefined && { manifest_digest: digest }) } });
  return others === "" ? [image] : [image, ` – ${others}`];
}

interface Named {
  readonly namespace: string;
  readonly repo: string;
}

function imageOf({ namespace, repo }: Named, { tag, digest }: Readonly<Record<"tag" | "digest", unknown>>): Piece {
  const name = `${namespace}/${repo}`;
  if (typeof tag === "string") {
    return { text: `${name}:${tag}`, path: imagePath(namespace, repo, { kind: "tag", tag }) };
  }
  if (typeof digest === "string") {
    return { text: `${name}@${shortDigest(digest)}`, path: imagePath(namespace, repo, { kind: "digest", digest }) };
  }
  return { text: name, path: repositoryPath(namespace, repo) };
}

type Note = Readonly<Record<string, unknown>>;

/** What a gate said: who refused, why, by which rules, and the worst findings. */
function* aboutGate(gate: Note, { namespace, repo }: Named, image: Piece): Generator<Piece> {
  const rules =
    gate.gate === "organization"
      ? { text: words.gates.organization, path: `${namespacePath(namespace)}?view=policies&part=gate` }
      : { text: words.gates.repository, path: `${repositoryPath(namespace, repo)}?view=policies` };
  yield image;
  if (gate.verdict === "allow") {
    yield* [words.passed, rules, words.byDocument(documentsOf(gate.statements))];
    return;
  }
  yield* [gate.mode === "dry_run" ? words.wouldBeRefused : words.refused, rules, ". "];
  if (gate.verdict === "pending") {
    yield words.pending(String(gate.missing ?? ""));
    return;
  }
  const count = Number(gate.findings);
  const named = namedIn(gate);
  yield words.counts(count, isRecord(gate.rules) ? rulesText(gate.rules) : "");
  for (const [index, { name, note }] of named.entries()) {
    yield* [index === 0 ? "" : ", ", { text: name, path: vulnerabilityPath(name) }, note];
  }
  yield count > named.length ? words.more(count - named.length) : ".";
}

/** The named findings; older entries have no more than the names of their vulnerabilities. */
function namedIn({ named, vulnerabilities }: Note): readonly { readonly name: string; readonly note: string }[] {
  if (!Array.isArray(named)) return listOf(vulnerabilities).map((each) => ({ name: String(each), note: "" }));
  return named.filter(isRecord).map(({ vulnerability, package: found, severity }) => {
    return { name: String(vulnerability), note: words.finding(String(found), String(severity)) };
  });
}

/** The rules by which findings count. */
function rulesText({ severity, epss, known_exploited: exploited, only_fixed: fixed, grace_days: days }: Note): string {
  const counted = [
    typeof severity === "string" ? words.rules.severity(severity) : "",
    typeof epss === "number" ? words.rules.epss(formatPercent(epss)) : "",
    exploited === true ? words.rules.exploited : "",
  ].filter((each) => each !== "");
  const only = [
    fixed === true ? words.rules.fixed : "",
    typeof days === "number" && days > 0 ? words.rules.grace(days) : "",
  ].filter((each) => each !== "");
  return [counted.join(words.rules.or), ...only].join(", ");
}

function documentsOf(statements: unknown): string {
  const accounts = listOf(statements).map((each) => (isRecord(each) ? String(each.by) : ""));
  return [...new Set(accounts)].join(", ");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Note {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
