import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Digest } from "@plimsoll/core/digest";
import { type Manifest, scanErrorCodes } from "@plimsoll/core/internal";
import { type ErrorAnswer, requestErrorCodes } from "@plimsoll/http";
import type { IndexService } from "@plimsoll/indexer";
import type { FeedStatus, MatchService } from "@plimsoll/matcher";
import { registryErrorCodes } from "@plimsoll/registry";
import { scannerErrors } from "@plimsoll/scanner-api";
import { type JobEvent, jobEventKinds, storeErrorCodes } from "@plimsoll/store";
import ts from "typescript-5";
import { requestErrorAnswers } from "../packages/http/src/documents/document-errors.ts";
import { kindOf, usualSubscriber } from "../packages/notifier/src/subscribers.ts";
import { repositoryEvents } from "../packages/registry/src/events/queries/notifications.ts";
import { logKinds } from "../packages/registry/src/values/log-kinds.ts";
import { distributionStatuses } from "../packages/registry-api/src/distribution/distribution-error.ts";
import { feedFigures, jobFigures, registryFigures } from "../packages/server/src/health/figures.ts";
import { RequestFigures } from "../packages/server/src/metrics/metrics.ts";
import { createProcessFigures } from "../packages/server/src/metrics/process-figures.ts";
import { trafficText } from "../packages/server/src/metrics/traffic-figures.ts";
import { createWorkFigures } from "../packages/server/src/metrics/work-figures.ts";
import { logJobs } from "../packages/server/src/serve/start-jobs.ts";
import type { SourceProgram } from "./lib/source-program.ts";

/** Names by section: a name has details that are public too, such as the fields of a line of the log. */
export type PublicNames = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** The sections of the page, and what their second column is. */
const sections = {
  "Kinds of jobs": ["In `plimsoll jobs`, in the console, and the label `kind` of metrics of jobs.", ""],
  "Events of the log": [
    "The member `event` of a line of the log, and the other members beside `level` and `time`.",
    "members",
  ],
  "Events of repositories": ["What notifications of a repository or an organization are about.", ""],
  "Kinds of entries of the usage log": ["The member `kind` of an entry of the usage log.", ""],
  Metrics: ["[Metrics](metrics.md) says what they are.", "labels"],
  "Error codes of the engine": ["Of a `ScanError`, of the command, and of problems in reports.", ""],
  "Error codes of problems": ["Of problems in reports, beside those of the engine.", ""],
  "Error codes of databases": ["Of a `StoreError`, and of the command.", ""],
  "Error codes of requests": ["Of requests that are refused before an operation runs, in the log.", ""],
  "Error codes of the scanner API": ["The member `code` of a response.", ""],
  "Error codes of the management API": ["The members `title` and `error_type` of a response.", ""],
  "Error codes of the distribution protocol": ["The member `code` of the errors of a response.", ""],
} as const satisfies Readonly<Record<string, readonly [about: string, details: string]>>;

type Section = keyof typeof sections;

const root = join(import.meta.dirname, "..");

/** The names in the sources that operators see: in alerts, dashboards, logs and programs. */
export async function publicNames({ program, checker }: SourceProgram): Promise<PublicNames> {
  const found = new Map<Section, Map<string, Set<string>>>();
  const add = (section: Section, name: string, details: readonly string[] = []) => {
    const names = found.get(section) ?? new Map<string, Set<string>>();
    found.set(section, names.set(name, new Set([...(names.get(name) ?? []), ...details])));
  };
  for (const file of program.getSourceFiles()) {
    if (isOurs(relative(root, file.fileName))) visitCalls(file, (node) => addNames(node, checker, add));
  }
  for (const name of repositoryEvents) add("Events of repositories", name);
  for (const name of logKinds) add("Kinds of entries of the usage log", name);
  for (const [section, codes] of Object.entries(declaredCodes)) {
    for (const name of codes) add(section as Section, name);
  }
  for (const name of Object.values(declaredCodes).flat()) found.get(problems)?.delete(name);
  addJobEvents(add);
  addWrittenLines(add);
  for (const [, name = "", labels = ""] of (await exampleMetrics()).matchAll(/^(plimsoll_\w+)\{(.*)\} /gm)) {
    const details = Array.from(labels.matchAll(/(\w+)="/g), ([, label = ""]) => label).filter((each) => each !== "le");
    add("Metrics", name.replace(/_(?:bucket|sum|count)$/, ""), details);
  }
  const sorted = (names: ReadonlyMap<string, ReadonlySet<string>> = new Map()) =>
    new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, details]) => [name, [...details].sort()]));
  return new Map((Object.keys(sections) as Section[]).map((section) => [section, sorted(found.get(section))]));
}

const problems = "Error codes of problems";

const codesOf = (answers: Readonly<Partial<Record<string, ErrorAnswer>>>) =>
  Object.values(answers).flatMap((answer) => answer?.code ?? []);

/** The error codes of which there are lists, by protocol. */
const declaredCodes = {
  "Error codes of the engine": scanErrorCodes,
  "Error codes of databases": storeErrorCodes,
  "Error codes of requests": requestErrorCodes,
  "Error codes of the scanner API": [requestErrorAnswers, ...Object.values(scannerErrors)].flatMap(codesOf),
  "Error codes of the management API": registryErrorCodes,
  "Error codes of the distribution protocol": Object.keys(distributionStatuses),
} as const satisfies Partial<Record<Section, readonly string[]>>;

type Add = (section: Section, name: string, details?: readonly string[]) => void;

function isOurs(path: string): boolean {
  return /^packages\/(?!testing|console)[\w-]+\/src\//.test(path) && !/\.test\.ts$|\/fixtures\/|\/golden\//.test(path);
}

function visitCalls(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitCalls(child, visit));
}

const levels: ReadonlySet<string> = new Set(["fatal", "error", "warn", "info", "debug"]);

function addNames(node: ts.Node, checker: ts.TypeChecker, add: Add): void {
  for (const code of errorCodesOf(node, checker, "status")) add("Error codes of the scanner API", code);
  for (const code of errorCodesOf(node, checker, "message")) add(problems, code);
  if (isText(node)) for (const [name] of node.text.matchAll(metricName)) add("Metrics", name);
  if (!ts.isCallExpression(node)) return;
  const [first, second] = node.arguments;
  if (first !== undefined && ts.isIdentifier(node.expression) && node.expression.text === "job") {
    for (const name of kindsOf(first, checker)) add("Kinds of jobs", name);
  }
  if (first === undefined || !isLogging(node.expression)) return;
  const fields = second === undefined ? [] : membersOf(checker.getTypeAtLocation(first), checker);
  for (const event of eventsOf(second ?? first, checker)) add("Events of the log", event, fields);
}

/** The `code` of an answer beside its `status`, or of a problem beside its `message`: a text, or each of the texts that its type allows. */
function errorCodesOf(node: ts.Node, checker: ts.TypeChecker, beside: "status" | "message"): readonly string[] {
  if (!ts.isObjectLiteralExpression(node)) return [];
  const members = new Map(node.properties.map((each) => [each.name?.getText().toLowerCase(), each]));
  const code = members.get("code");
  if (code === undefined || !members.has(beside) || (beside === "message" && members.has("status"))) return [];
  if (ts.isPropertyAssignment(code)) return textsOf(checker.getTypeAtLocation(code.initializer));
  const symbol = ts.isShorthandPropertyAssignment(code) && checker.getShorthandAssignmentValueSymbol(code);
  return symbol ? textsOf(checker.getTypeOfSymbolAtLocation(symbol, code)) : [];
}

/** In metrics as text, samples of a histogram have an ending of their own. */
const metricName = /\bplimsoll_(?!session\b)\w+?(?=_bucket\b|_sum\b|_count\b|\b)/g;

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

/** The kind in the declaration of a job: a text, or a constant. */
function kindsOf(declaration: ts.Expression, checker: ts.TypeChecker): readonly string[] {
  if (!ts.isObjectLiteralExpression(declaration)) return [];
  const member = declaration.properties.find((each) => each.name?.getText() === "kind");
  if (member === undefined || !ts.isPropertyAssignment(member)) return [];
  const { initializer } = member;
  if (ts.isCallExpression(initializer)) return kindsOfSubscribers(initializer);
  return ts.isStringLiteralLike(initializer) ? [initializer.text] : textsOf(checker.getTypeAtLocation(initializer));
}

/** `kindOf("poll", subscriber)`: the notifier, and a registry for the notifications of its repositories, have kinds of their own. */
function kindsOfSubscribers({ arguments: [name] }: ts.CallExpression): readonly string[] {
  if (name === undefined || !ts.isStringLiteralLike(name)) return [];
  return [usualSubscriber, "registry"].map((subscriber) => kindOf(name.text, subscriber));
}

/** `logger.warn(…)`, `request.log.error(…)`, `logger[level](…)` */
function isLogging(called: ts.Expression): boolean {
  const isLogger = (expression: ts.Expression) => /(?:^|\.)(?:log|logger)$/.test(expression.getText());
  if (ts.isPropertyAccessExpression(called)) return levels.has(called.name.text) && isLogger(called.expression);
  return ts.isElementAccessExpression(called) && isLogger(called.expression);
}

/** A name that is made of parts has members of its own for each part: {@link addJobEvents} finds those of the only such names. */
function eventsOf(event: ts.Expression, checker: ts.TypeChecker): readonly string[] {
  if (!ts.isTemplateExpression(event)) return textsOf(checker.getTypeAtLocation(event));
  if (event.head.text === "job_") return [];
  throw new Error(`${event.getText()}: expected the name of an event as one text, so that its members can be found`);
}

/** Kinds of events of jobs that wait, of which no attempt has begun. */
const waiting: ReadonlySet<string> = new Set(["enqueued", "retried", "expired"]);

/** The events of jobs, each with the members of the line that it writes. */
function addJobEvents(add: Add): void {
  const job: JobEvent["job"] = { id: "1", kind: "", attempts: 1, maxAttempts: 1, dueAt: 0 };
  for (const kind of jobEventKinds) {
    const write = (line: object, event: string) => {
      if (event === `job_${kind}`) add("Events of the log", event, Object.keys(JSON.parse(JSON.stringify(line))));
    };
    const log = logJobs({ info: write, warn: write, error: write } as Parameters<typeof logJobs>[0]);
    if (kind !== "started" && !waiting.has(kind)) log({ kind: "started", job });
    const attempts = kind === "enqueued" || kind === "retried" ? 0 : job.attempts;
    log({ kind, job: { ...job, attempts }, error: new Error("why") });
  }
}

/** The texts of a type that is one text, or one of several. */
function textsOf(type: ts.Type): readonly string[] {
  if (type.isUnion()) return type.types.flatMap(textsOf);
  return type.isStringLiteral() ? [type.value] : [];
}

function membersOf(type: ts.Type, checker: ts.TypeChecker): readonly string[] {
  if (type.isUnion()) return type.types.flatMap((each) => membersOf(each, checker));
  return checker.getPropertiesOfType(type).map(({ name }) => name);
}

/** Lines of the log that are written as text. */
function addWrittenLines(add: Add): void {
  for (const file of ["access-log.ts", "logger.ts"]) {
    const text = readFileSync(join(root, "packages/server/src/logging", file), "utf8");
    const event = /"?event"?: ?"(?<event>\w+)"/.exec(text)?.groups?.event;
    const members = [...text.matchAll(/"(\w+)":/g), ...text.matchAll(/\b(lines)\b, event/g)].map(
      ([, name = ""]) => name,
    );
    if (event !== undefined)
      add(
        "Events of the log",
        event,
        members.filter((name) => !["level", "time", "event"].includes(name)),
      );
  }
}

/** One value of each metric with labels, in Prometheus' text format. */
async function exampleMetrics(): Promise<string> {
  const job: JobEvent["job"] = { id: "1", kind: "", attempts: 1, maxAttempts: 1, dueAt: 0 };
  const work = createWorkFigures(() => 0);
  for (const kind of ["started", "succeeded"] as const) work.noteJob({ kind, job });
  work.noteCollected({ kind: "blob", what: "", why: "", sizeBytes: 0 });
  work.noteDamaged("missing");
  await work.countIndexing({ index: async () => {} } as unknown as IndexService).index({} as Manifest);
  await work.countMatching({ report: async () => {} } as unknown as MatchService).report("" as Digest);
  const process = createProcessFigures();
  process.noteCut("");
  const requests = new RequestFigures();
  requests.observe({ operation: "", method: "", status: 200, seconds: 0 });
  const account = { read: 0, withdrawn: 0, failed: 0, skipped: [] };
  const feed = { name: "", rows: 0, checkedAt: 0, dropped: { count: 0 }, account } as unknown as FeedStatus;
  const counts = { uploads: 0, uploadBytes: 0, queuedScans: 0, damagedBlobs: 0 };
  return [
    await work.text(),
    await process.text(),
    requests.text(),
    feedFigures([feed], [], 0),
    registryFigures({ ...counts, stored: { blobs: 0, bytes: 0 } }, "files"),
    jobFigures([{ kind: "", state: "waiting", jobs: 0 }]),
    trafficText({
      connections: { open: 0, ended: new Map() },
      sends: { open: 0, heldBytes: 0, cut: new Map(), refused: 0 },
      bodies: { open: 0, cut: 0 },
    }),
  ].join("\n");
}

/** The names on a page that {@link publicNamesPage} wrote. */
export function namesOfPage(page: string): PublicNames {
  return new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const rows = [...section.matchAll(/^\| `([^`]+)` \|(?: (.*) \|)?$/gm)];
        const title = section.slice(0, section.indexOf("\n"));
        return [
          title,
          new Map(
            rows.map(([, name = "", details = ""]) => [
              name,
              [...details.matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each),
            ]),
          ),
        ];
      }),
  );
}

/** What a page has and the sources do not have any more, as `NAME` and `NAME: DETAIL`. */
export function goneNames(page: PublicNames, current: PublicNames): readonly string[] {
  return [...page].flatMap(([section, names]) =>
    [...names].flatMap(([name, details]) => {
      const found = current.get(section)?.get(name);
      if (found === undefined) return [`${section}: ${name}`];
      return details.filter((each) => !found.includes(each)).map((each) => `${section}: ${name}: ${each}`);
    }),
  );
}

/**
 * The page docs/reference/public-names.md. It keeps the names that the former page has: they are deleted by hand, because others depend on
 * them.
 */
export function publicNamesPage(current: PublicNames, former: PublicNames): string {
  return [
    "# Public names",
    "",
    "Names that alerts, dashboards and programs of operators depend on. They do not change within a major version. Members of lines, labels and new names may be",
    "added. Generated by `npm run docs` from the sources; a test fails if a name of this page is gone.",
    "",
    ...[...current].flatMap(([section, names]) =>
      sectionOf(section as Section, withFormer(names, former.get(section))),
    ),
  ].join("\n");
}

function withFormer(
  names: ReadonlyMap<string, readonly string[]>,
  former: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadonlyMap<string, readonly string[]> {
  const all = [...new Set([...names.keys(), ...former.keys()])].sort();
  return new Map(
    all.map((name) => [name, [...new Set([...(names.get(name) ?? []), ...(former.get(name) ?? [])])].sort()]),
  );
}

function sectionOf(section: Section, names: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const [about, details] = sections[section];
  const row = (name: string, members: readonly string[]) =>
    details === "" ? `| \`${name}\` |` : `| \`${name}\` | ${members.map((each) => `\`${each}\``).join(", ")} |`;
  const head = details === "" ? ["| name |", "| --- |"] : [`| name | ${details} |`, "| --- | --- |"];
  return [`## ${section}`, "", about, "", ...head, ...Array.from(names, ([name, members]) => row(name, members)), ""];
}
