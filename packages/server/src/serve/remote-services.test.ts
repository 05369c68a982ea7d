import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { findAnswer, negotiate } from "@plimsoll/http";
import {
  coveredIndexReportType,
  coveredReportType,
  describedIndexReportType,
  scannerErrors,
} from "@plimsoll/scanner-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RemoteService } from "./call-service.ts";
import { watchOutage } from "./outages.ts";
import { remoteIndexer, remoteIndexReports, remoteReports, remoteUpdates } from "./remote-services.ts";

/** The responses of the server, one for each request; the last one again and again. */
let answers: RequestListener[] = [];
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
    answer?.(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => void server.close());

const lines: string[] = [];
function service(): RemoteService {
  const log = (_: object, event: string) => void lines.push(event);
  const outage = watchOutage({ warn: log, info: log } as never, "matcher");
  lines.length = 0;
  return { name: "matcher", addresses: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`], outage };
}

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const works: RequestListener = (_, response) => response.end('{"state":"x","added":[],"removed":[]}');
const closes: RequestListener = (request) => request.socket.destroy();
const breaksOff: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": 99 }).write('{"state"', () => response.destroy());
};
const says = (status: number, text = ""): RequestListener => {
  return (_, response) => void response.writeHead(status).end(text);
};

const ways: readonly (readonly [string, (from: RemoteService) => Promise<unknown>])[] = [
  ["a report", (from) => remoteReports(from).report(digest)],
  [
    "a list",
    (from) =>
      remoteUpdates(from)
        .updateDiff(refs)
        .then(({ added }) => collect(added)),
  ],
];

const failure = {
  name: "ScanError",
  code: "service_unavailable",
  message: "the matcher cannot be used at the moment: try again later",
};

const refs = { prev: "1", cur: "2" } as never;

async function collect(items: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a report of an indexer or matcher of another vendor", () => {
  it.each([
    "application/json",
    "application/vnd.acme.index_report.v1+json",
    "application/vnd.acme.vulnerability_report.v1+json",
  ])("is read if it is only offered as %s", async (type) => {
    const isReport = type.includes("vulnerability");
    const offered = [type, isReport ? coveredReportType : coveredIndexReportType];
    const body = JSON.stringify({ manifest_hash: digest, state: "IndexFinished", success: true });
    answers = [
      ({ headers: { accept } }, response) => {
        const isAccepted = negotiate(accept, [type]) === type;
        response.writeHead(isAccepted ? 200 : 415, { "content-type": type }).end(body);
        chosen.push(negotiate(accept, offered));
      },
    ];
    const chosen: unknown[] = [];

    const found = await (isReport
      ? remoteReports(service()).report(digest)
      : remoteIndexReports(service()).find(digest));

    expect(found).toBeDefined();
    expect(chosen).toEqual([offered[1]]); // ours is preferred where it is offered, too
  });
});

describe("the report of a remote indexer for the registry", () => {
  it.each([
    ["what records of packages say", "described", describedIndexReportType, { "1": { supplier: "Ada" } }],
    ["no more than needed", undefined, coveredIndexReportType, undefined],
  ] as const)("has %s", async (_, form, type, details) => {
    const report = { manifest_hash: digest, state: "IndexFinished", success: true };
    const offered = ["application/json", coveredIndexReportType, describedIndexReportType];
    answers = [
      ({ headers: { accept } }, response) => {
        const chosen = negotiate(accept, offered) ?? "";
        const more = chosen === describedIndexReportType ? { details: { "1": { supplier: "Ada" } } } : {};
        response.writeHead(200, { "content-type": chosen }).end(JSON.stringify({ ...report, ...more }));
        asked.push(chosen);
      },
    ];
    const asked: string[] = [];

    const found = await remoteIndexer(service()).findReport(digest, form);

    expect(asked).toEqual([type]);
    expect(found?.details).toEqual(details);
  });
});

describe("images that a remote indexer is asked for", () => {
  const question = { kind: "license", value: "MIT", after: "", limit: 9 } as const;

  it("are what it answers", async () => {
    const found = { images: [{ digest, packages: [{ name: "a", version: "1" }] }], next: digest };
    answers = [({ method, url }, response) => response.end(JSON.stringify(isAsked(method, url) ? found : {}))];
    const isAsked = (method = "", url = "") => `${method} ${url}` === "POST /indexer/api/v1/internal/find_images";

    expect(await remoteIndexer(service()).findImages(question)).toEqual(found);
  });

  it("are not known of an indexer that does not have the operation", async () => {
    answers = [says(404)];

    expect(await remoteIndexer(service()).findImages(question)).toBeUndefined();
  });
});

describe.each(ways)("%s of another service", (_, ask) => {
  it.each([
    ["closes connections", closes],
    ["answers 503", says(503)],
    ["answers 500", says(500, "a stack trace")],
    ["does not know us", says(401)],
    ["breaks off its responses", breaksOff],
    ["sends something else", says(200, "<html>")],
  ])("fails with a code of its own if it %s, and logs that once", async (_what, answer) => {
    const from = service();
    answers = [answer];

    const failures = [await ask(from).catch(same), await ask(from).catch(same)];

    expect(failures).toEqual([expect.objectContaining(failure), expect.objectContaining(failure)]);
    expect(lines).toEqual(["dependency_failed"]);
    answers = [works];
    await ask(from);
    expect(lines).toEqual(["dependency_failed", "dependency_recovered"]);
  });

  it.each([
    ["a connection that was closed", closes],
    ["a service that is starting", says(503)],
  ])("is asked for again after %s", async (_what, answer) => {
    answers = [answer, works];

    await expect(ask(service())).resolves.not.toThrow();
  });
});

describe("a document of another service", () => {
  it("is asked for again after a response that broke off", async () => {
    answers = [breaksOff, works];

    expect(await remoteIndexer(service()).state()).toBe("x");
  });

  it("is not asked for any more by a client that has left", async () => {
    const left = new AbortController();
    answers = [() => left.abort(new Error("left"))];
    const from = service();

    await expect(remoteReports(from).report(digest, { signal: left.signal })).rejects.toThrow("left");

    expect(lines).toEqual([]);
  });

  it("that is missing is no failure", async () => {
    answers = [says(404)];

    await expect(remoteReports(service()).report(digest)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the scanner API", () => {
  it("answers 503 with a code of its own for another service, whose outage is logged elsewhere", () => {
    const answer = findAnswer(scannerErrors, new ScanError("service_unavailable", failure.message));

    expect(answer).toEqual({ status: 503, code: "service-unavailable", isLoggedElsewhere: true });
  });
});

function same(error: unknown): unknown {
  return error;
}
