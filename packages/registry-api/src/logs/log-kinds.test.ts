import { pruneNamespaceJob } from "@plimsoll/registry/lifecycle/pruning/jobs";
import { syncMirrorJob } from "@plimsoll/registry/sources/mirrors/jobs";
import { type LogKind, logKinds } from "@plimsoll/registry/values/log-kinds";
import { describe, expect, it } from "vitest";
import { buildHookOperations } from "../build-hooks/register-build-hooks.ts";
import { distributionOperations } from "../distribution/operations.ts";
import { tokenOperations } from "../distribution/token-service.ts";
import { keyServerOperations } from "../key-server/register-key-server.ts";
import { registryOperations } from "../operations.ts";
import { pageOperations } from "../pages/register-pages.ts";
import { referenceOperations } from "../reference-profile/compatibility.ts";

const operations = [
  ...registryOperations,
  ...referenceOperations,
  ...distributionOperations,
  ...tokenOperations,
  ...buildHookOperations,
  ...keyServerOperations,
  ...pageOperations,
];

/** What jobs write that no operation does. A kind that operations write too is not here. */
const ofJobs: Readonly<Partial<Record<LogKind, string>>> = {
  autoprune_tag_delete: pruneNamespaceJob.kind,
  repo_mirror_sync_started: syncMirrorJob.kind,
  repo_mirror_sync_success: syncMirrorJob.kind,
  repo_mirror_sync_failed: syncMirrorJob.kind,
  repo_mirror_sync_tag_success: syncMirrorJob.kind,
  repo_mirror_sync_tag_failed: syncMirrorJob.kind,
};

const operationsOf = (kind: LogKind) => operations.filter(({ audit = [] }) => audit.includes(kind)).map(({ id }) => id);

describe("logKinds", () => {
  it.each(logKinds)("%s is written by an operation or a job", (kind) => {
    const job = ofJobs[kind];

    expect([...operationsOf(kind), ...(job === undefined ? [] : [job])]).not.toEqual([]);
  });

  it("has each kind once, and no job in the table beside an operation", () => {
    expect(logKinds.filter((kind, index) => logKinds.indexOf(kind) !== index)).toEqual([]);
    expect(Object.keys(ofJobs).filter((kind) => operationsOf(kind as LogKind).length > 0)).toEqual([]);
  });

  it("has every kind that operations declare", () => {
    const known = new Set<string>(logKinds);

    expect(operations.flatMap(({ audit = [] }) => audit).filter((kind) => !known.has(kind))).toEqual([]);
  });
});
