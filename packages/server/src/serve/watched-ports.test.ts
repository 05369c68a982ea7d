import { Server } from "node:net";
import { ScanError } from "@plimsoll/core";
import { BlobStoreError, RegistryError } from "@plimsoll/registry";
import { forTeamsOnly } from "@plimsoll/registry/ports/identities";
import { DeadlinePassed, StoreError } from "@plimsoll/store";
import type { Logger } from "pino";
import { describe, expect, it } from "vitest";
import { basicMatcher, sharedIndexer } from "../registry/image-scanner.ts";
import { noteWork, watchOutage } from "./outages.ts";
import {
  watchedDirectory,
  watchedIndexer,
  watchedMailer,
  watchedProvider,
  watchedReports,
  watchListener,
} from "./watched-ports.ts";

/** A log, and a port that fails with the given error. */
function watch() {
  const lines: string[] = [];
  const note = (level: string) => (line: object, event?: string) =>
    void lines.push(`${level} ${event} ${JSON.stringify(line)}`);
  const outage = watchOutage({ warn: note("warn"), info: note("info") } as unknown as Logger, "one");
  const state = { failure: undefined as unknown };
  const act = async (): Promise<never> => {
    if (state.failure !== undefined) throw state.failure;
    return undefined as never;
  };
  return { lines, outage, state, act };
}

type Act = () => Promise<never>;
type Outage = ReturnType<typeof watchOutage>;
const signal = AbortSignal.abort();

const ports: Readonly<Record<string, (act: Act, outage: Outage) => () => Promise<unknown>>> = {
  "the indexer of this process": (act, outage) => {
    const indexer = watchedIndexer(
      { ...sharedIndexer, state: () => "1", submit: act, findReport: act, findImages: act, deleteMany: act },
      outage,
    );
    return () => indexer.submit({} as never);
  },
  "the matcher of this process": (act, outage) => {
    const reports = watchedReports({ ...basicMatcher, report: act }, outage);
    return () => reports.report("sha256:0" as never);
  },
  "the matcher of this process, asked for names": (act, outage) => {
    const reports = watchedReports({ ...basicMatcher, report: act, names: act }, outage);
    return async () => reports.names("CVE-2024-1");
  },
  "the mail server": (act, outage) => {
    const mailer = watchedMailer({ send: act }, outage);
    return () => mailer.send({ to: "", subject: "", text: "" });
  },
  "the directory": (act, outage) => {
    const directory = watchedDirectory({ ...forTeamsOnly, service: "ldap", listGroup: act }, outage);
    return () => directory.listGroup("builders");
  },
  "the directory, asked for users": (act, outage) => {
    const inner = { ...forTeamsOnly, signsUsersIn: true, service: "ldap", listGroup: act, findUsers: act } as const;
    return async () => watchedDirectory(inner, outage).findUsers(["zoe"]);
  },
};

describe.each(Object.entries(ports))("of %s", (_, open) => {
  it("is logged once when it fails, and once when it works again", async () => {
    const { lines, outage, state, act } = watch();
    const use = open(act, outage);

    state.failure = new Error("broken");
    await expect(use()).rejects.toThrow("broken");
    await expect(use()).rejects.toThrow("broken");
    expect(outage.reason).toBe("broken");
    state.failure = undefined;
    await use();
    await use();

    expect(outage.reason).toBeUndefined();
    expect(lines).toEqual([
      'warn dependency_failed {"dependency":"one","reason":"broken"}',
      'info dependency_recovered {"dependency":"one"}',
    ]);
  });

  it("is not logged for errors of an image, the database or the blob store", async () => {
    const { lines, outage, state, act } = watch();
    const use = open(act, outage);

    const ofOthers = [
      new ScanError("layer_corrupt", "damaged"),
      new StoreError("unavailable", "down"),
      new BlobStoreError("unavailable", "down"),
    ];
    for (const failure of ofOthers) {
      state.failure = failure;
      await expect(use()).rejects.toBe(failure);
    }

    expect(lines).toEqual([]);
  });
});

describe("noteWork", () => {
  it("ignores results of work that began before the last change", async () => {
    const { lines, outage } = watch();
    const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const working = noteWork(outage, () => early.promise);

    outage.failed(new Error("broken"));
    const failing = noteWork(outage, () => late.promise);
    early.resolve();
    await working;
    expect(outage.reason).toBe("broken");
    await noteWork(outage, async () => {});
    late.reject(new Error("no answer"));
    await expect(failing).rejects.toThrow("no answer");

    expect(lines.map((line) => line.split(" ")[1])).toEqual(["dependency_failed", "dependency_recovered"]);
  });
});

describe("watchedMailer", () => {
  it("does not count a rejected message as an outage", async () => {
    const { lines, outage, state, act } = watch();
    state.failure = Object.assign(new Error("550 no such user"), { code: "EENVELOPE" });

    await expect(watchedMailer({ send: act }, outage).send({ to: "", subject: "", text: "" })).rejects.toThrow("550");

    expect(lines).toEqual([]);
  });
});

describe("a mail server that keeps a sender waiting until the end of its time", () => {
  it.each([new DOMException("too long", "TimeoutError"), new DeadlinePassed(300)])(
    "is an outage: %s",
    async (reason) => {
      const { outage, state, act } = watch();
      state.failure = reason;
      const mailer = watchedMailer({ send: act }, outage);

      await expect(
        mailer.send({ to: "", subject: "", text: "" }, { signal: AbortSignal.abort(reason) }),
      ).rejects.toThrow(reason.message);

      expect(outage.reason).toBe(reason.message);
    },
  );
});

describe("an aborted call", () => {
  it.each<[string, (act: Act, outage: Outage) => unknown]>([
    [
      "watchedMailer",
      (act, outage) => watchedMailer({ send: act }, outage).send({ to: "", subject: "", text: "" }, { signal }),
    ],
    [
      "listGroup",
      (act, outage) =>
        watchedDirectory({ ...forTeamsOnly, service: "ldap", listGroup: act }, outage).listGroup("x", { signal }),
    ],
    [
      "authenticate",
      (act, outage) =>
        watchedDirectory(
          { ...forTeamsOnly, signsUsersIn: true, service: "ldap", listGroup: act, authenticate: act },
          outage,
        ).authenticate("x", "y", {
          signal,
        }),
    ],
    [
      "findUsers",
      (act, outage) =>
        watchedDirectory(
          { ...forTeamsOnly, signsUsersIn: true, service: "ldap", listGroup: act, findUsers: act },
          outage,
        ).findUsers(["x"], { signal }),
    ],
  ])("is no outage: %s", async (_, call) => {
    const { lines, outage, state, act } = watch();
    state.failure = new Error("aborted");

    await expect(call(act, outage)).rejects.toThrow("aborted");

    expect(lines).toEqual([]);
  });
});

describe("watchedReports", () => {
  it("does not count an aborted request for a report as an outage", async () => {
    const { lines, outage, state, act } = watch();
    state.failure = new Error("aborted");

    await expect(
      watchedReports({ ...basicMatcher, report: act }, outage).report("sha256:0" as never, { signal }),
    ).rejects.toThrow();

    expect(lines).toEqual([]);
  });
});

describe("an identity provider", () => {
  const failure = (cause: unknown) => new RegistryError("downstream_issue", "failed", { cause });
  const coded = (code: string, more: object = {}) => failure(Object.assign(new Error(code), { code }, more));
  const rows = [
    { what: "cannot be reached", error: failure(new TypeError("fetch failed")), isOut: true },
    { what: "answers with what is no JSON", error: coded("OAUTH_RESPONSE_IS_NOT_JSON"), isOut: true },
    {
      what: "does not know the registry's secret",
      error: coded("OAUTH_RESPONSE_BODY_ERROR", { error: "invalid_client" }),
      isOut: true,
    },
    {
      what: "refuses the code of one browser",
      error: coded("OAUTH_RESPONSE_BODY_ERROR", { error: "invalid_grant" }),
      isOut: false,
    },
    { what: "gives a token that is not for us", error: coded("ERR_JWT_CLAIM_VALIDATION_FAILED"), isOut: false },
    { what: "lets a user not in", error: new RegistryError("insufficient_scope", "no"), isOut: false },
  ];
  it.each(rows)("that $what is out: $isOut", async ({ error, isOut }) => {
    const { outage, state, act } = watch();
    const inner = {
      service: "corp",
      title: "Corp",
      createsAccounts: true,
      providesGroups: false,
      begin: act,
      finish: act,
    };
    const provider = watchedProvider(inner as never, outage);

    for (const use of [() => provider.begin({} as never), () => provider.finish({} as never, new URLSearchParams())]) {
      state.failure = error;
      await expect(use()).rejects.toBe(error);
      expect(outage.reason !== undefined).toBe(isOut);
      state.failure = undefined;
      await use();
      expect(outage.reason).toBeUndefined();
    }
  });
});

function watched() {
  const time = { now: 0 };
  const seen = { lines: [] as unknown[], notAccepted: 0, lost: [] as string[] };
  const line = (fields: object, event: string) => void seen.lines.push([event, fields]);
  const server = new Server();
  watchListener(server, {
    logger: { warn: line, fatal: line } as never,
    setting: "port",
    clock: { now: () => time.now },
    noteNotAccepted: () => seen.notAccepted++,
    onLost: ({ message }) => seen.lost.push(message),
  });
  const fail = (code: string, syscall = "accept") =>
    server.emit("error", Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
  return { time, seen, fail };
}

describe("watchListener", () => {
  it.each(["EMFILE", "ENFILE", "ENOBUFS", "ECONNABORTED"])(
    "goes on after %s, and logs crowds once in ten seconds",
    (code) => {
      const { time, seen, fail } = watched();

      for (const at of [0, 1, 9_999, 10_000]) {
        time.now = at;
        fail(code);
      }

      const line = ["connections_not_accepted", { setting: "port", reason: `accept ${code}` }];
      expect(seen).toEqual({ lines: [line, line], notAccepted: 4, lost: [] });
    },
  );

  it.each(["EBADF", "EINVAL", "ENOTSOCK"])("reports that the port is lost after %s", (code) => {
    const { seen, fail } = watched();

    fail(code);

    expect(seen).toEqual({
      lines: [["port_lost", { setting: "port", reason: `accept ${code}` }]],
      notAccepted: 0,
      lost: [`accept ${code}`],
    });
  });

  it("leaves errors of listening to the code that listens", () => {
    const { seen, fail } = watched();

    fail("EADDRINUSE", "listen");

    expect(seen).toEqual({ lines: [], notAccepted: 0, lost: [] });
  });
});
