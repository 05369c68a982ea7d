import { type Coverage, type Problem, type UnassessedPackages, unassessedKinds } from "../model/index-report.ts";
import type { SbomGaps } from "./sbom.ts";
import type { UnlistedPart } from "./unlisted-parts.ts";

/** A property of a document: of CycloneDX's metadata, or an annotation of an SPDX document. */
export interface SbomProperty {
  readonly name: string;
  readonly value: string;
}

const unassessedName = "plimsoll:coverage:unassessed:";
const problemName = "plimsoll:coverage:problem:";
/** The property with a sentence about a gap, for people. */
const sentenceName = "plimsoll:coverage:gap";

/** The `code` of the problem that a document has which calls itself incomplete, but does not say what it lacks. */
export const incompleteCode = "incomplete_sbom";

/** The begin of the message about a document that calls itself incomplete. */
const says = "the document says that";

/** The number of problems of a document that are listed; a last one counts the others. */
const maxListedGaps = 1000;

/** The number of sentences that the problem of an incomplete document repeats, and their length. */
const maxSentences = 20;
const maxSentenceLength = 500;

/**
 * The properties of a document that say which parts of an image could not be read, so that who scans the document knows what who scans the image
 * knows. Empty if all was read.
 * @example
 * declare const report: IndexReport;
 * const properties = gapProperties(report.coverage);
 */
export function gapProperties({ layers, problems, unassessed }: Coverage): readonly SbomProperty[] {
  const unread = layers.flatMap(({ digest, status, message = "" }) =>
    status === "read" ? [] : [{ at: digest, code: `${status}_layer`, message }],
  );
  return [
    ...unassessed.map(({ kind, count }) => ({ name: `${unassessedName}${kind}`, value: String(count) })),
    ...[...unread, ...problems].map(({ at, code, message }) => ({
      name: `${problemName}${code}`,
      value: `${at}: ${message}`,
    })),
  ];
}

/** What a document says about all of its subject. */
export interface StatedWhole {
  /** What it names without listing the packages in it. */
  readonly unlisted: readonly UnlistedPart[];
  /** The place of the statement in the document, where it calls itself incomplete. */
  readonly incompleteAt: string | undefined;
  /** Set if that statement is only about what the subject depends on. */
  readonly isAboutNeeds?: true | undefined;
  /** Set if that statement is that it is not known whether it is complete. */
  readonly isUnknown?: true | undefined;
  readonly properties: readonly SbomProperty[];
  /** The files that its maker could not read, each with a message. */
  readonly unread?: Iterable<Pick<Problem, "at" | "message">>;
}

/** What a document says that it lacks itself; undefined if it lacks nothing. */
export function statedGaps(whole: StatedWhole): SbomGaps | undefined {
  const { incompleteAt, isAboutNeeds, isUnknown, properties, unlisted, unread = [] } = whole;
  const unassessed = properties.flatMap(unassessedIn);
  const problems = [...properties.flatMap(problemIn), ...unlisted.map(notListed), ...Array.from(unread, notRead)];
  if (unassessed.length > 0 || problems.length > 0) return { problems: bounded(problems), unassessed };
  if (incompleteAt === undefined) return undefined;
  const sentences = properties.flatMap(({ name, value }) => (name === sentenceName ? [value] : []));
  const said = sentences.slice(0, maxSentences).map((sentence) => ` ${sentence}`);
  const statement = isUnknown === undefined ? "it is incomplete" : "it is not known whether it is complete";
  const message = `${says} ${statement}.${said.join("")}`;
  return { problems: [{ at: incompleteAt, code: incompleteCode, message }], unassessed: [], areNeeds: isAboutNeeds };
}

/**
 * What a document inside an image, or attached to it, says that it lacks, in one message: the document is one of several sources of the image's
 * packages, and has no coverage of its own.
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { gaps } = readSbom(await readFile("app.cdx.json"), "app.cdx.json");
 * if (gaps !== undefined) console.log(gapMessage(gaps));
 */
export function gapMessage({ problems, unassessed }: SbomGaps): string {
  const [first] = problems;
  if (first?.code === incompleteCode && first.message.startsWith(says)) return first.message;
  const said = [
    ...unassessed.map(({ kind, count }) => `not assessed: ${count} ${kind} (pieces of evidence)`),
    ...problems.map(({ at, message }) => `${at}: ${message}`),
  ];
  const more = said.length > maxSentences ? `; and ${said.length - maxSentences} more` : "";
  const listed = said.slice(0, maxSentences).map((each) => each.slice(0, maxSentenceLength));
  return `the document says that it is incomplete: ${listed.join("; ")}${more}`;
}

/** The property with a sentence of a document that has it as a text. */
export function gapSentence(value: string): SbomProperty {
  return { name: sentenceName, value };
}

function unassessedIn({ name, value }: SbomProperty): readonly UnassessedPackages[] {
  if (!name.startsWith(unassessedName) || !/^[1-9]\d{0,8}$/.test(value)) return [];
  const kind = unassessedKinds.find((each) => each === name.slice(unassessedName.length)) ?? "other";
  return [{ kind, count: Number(value), evidence: [] }];
}

function notListed({ kind, at }: UnlistedPart): Problem {
  return { at: at.slice(0, maxSentenceLength), code: incompleteCode, message: notListedMessages[kind] };
}

function notRead({ at, message }: Pick<Problem, "at" | "message">): Problem {
  return { at: at.slice(0, maxSentenceLength), code: incompleteCode, message: message.slice(0, maxSentenceLength) };
}

const notListedMessages = {
  document: "the document has packages in another document, which is not read; scan that one, too",
  file: "the document lists files, of this name and others, but no packages",
  image: "the document names this image, but not the packages in it; scan the image, too",
  package: "the document says that a component depends on this package, but does not list it",
} as const satisfies Readonly<Record<UnlistedPart["kind"], string>>;

function problemIn({ name, value }: SbomProperty): readonly Problem[] {
  if (!name.startsWith(problemName)) return [];
  const end = value.indexOf(": ");
  const [at, message] = end < 0 ? ["", value] : [value.slice(0, end), value.slice(end + 2)];
  return [{ at, code: name.slice(problemName.length), message }];
}

function bounded(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - maxListedGaps;
  if (more <= 0) return problems;
  const rest = { at: "", code: incompleteCode, message: `and ${more} more problems that the document states` };
  return [...problems.slice(0, maxListedGaps), rest];
}
