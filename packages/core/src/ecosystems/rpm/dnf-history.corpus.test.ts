import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { originKey, readDnfHistory } from "./dnf-history.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/packagedbs/rpm-dnf-history`;

interface Row {
  readonly name: string;
  readonly evr: string;
  readonly arch: string;
  readonly repoid: string;
}

const queries = {
  "dnf4/var/lib/dnf/history.sqlite": `select r.name, iif(r.epoch = 0, '', r.epoch || ':') || r.version || '-' || r.release as evr, r.arch, p.repoid
    from rpm r join trans_item t on t.item_id = r.item_id join repo p on p.id = t.repo_id`,
  "dnf5/usr/lib/sysimage/libdnf5/transaction_history.sqlite": `select n.name, iif(r.epoch = 0, '', r.epoch || ':') || r.version || '-' || r.release as evr, a.name as arch, p.repoid
    from rpm r join pkg_name n on n.id = r.name_id join arch a on a.id = r.arch_id
    join trans_item t on t.item_id = r.item_id join repo p on p.id = t.repo_id`,
};

describe.skipIf(corpus === undefined)("readDnfHistory on real histories", () => {
  it.each(Object.entries(queries))("finds the repository of every package of %s", (name, query) => {
    using database = new DatabaseSync(`${folder}/${name}`, { readOnly: true });
    const rows = database.prepare(query).all() as unknown as readonly Row[];

    const origins = Object.entries(readDnfHistory(readFileSync(`${folder}/${name}`)));
    const byPackage = new Map(origins.flatMap(([repository, keys]) => keys.map((key) => [key, repository])));

    expect(rows.length).toBe(name.startsWith("dnf4") ? 55 : 123);
    expect(rows.map(({ name: own, evr, arch }) => byPackage.get(originKey({ name: own, version: evr, arch })))).toEqual(
      rows.map(({ repoid }) => repoid),
    );
  });
});
