/**
 * The criteria by which sbomqs 2.0 judges documents, by its own profile and by those of authorities, and what an image cannot know.
 *
 * @see https://github.com/interlynk-io/sbomqs/blob/main/docs/specs/SBOMQS-2.0-SPEC.md
 */
import { beforeAll, describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { type BillImage, billImages, indexBillImage } from "./fixtures/bill-images.ts";
import {
  type Contact,
  type JudgedComponent,
  type JudgedDocument,
  judgedCycloneDx,
  judgedSpdx,
  judgedSpdx3,
} from "./fixtures/judged-document.ts";
import type { DocumentStamp, ReportedImage } from "./reported-image.ts";
import { toSpdx } from "./spdx.ts";
import { toSpdx3 } from "./spdx3.ts";

/** The lowest of the scores of the four images by all criteria, also those for which no image has the facts; by form and profile. */
const lowestScores: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "CycloneDX 1.6": {
    sbomqs: 7.6,
    "NTIA 2021": 9.7,
    "CISA 2025": 9.2,
    "BSI TR-03183-2 v2.0": 7.5,
    "BSI TR-03183-2 v2.1": 7.1,
    "Framing, 3rd edition": 7.3,
    "OpenChain Telco": 8.4,
  },
  "CycloneDX 1.7": {
    sbomqs: 7.6,
    "NTIA 2021": 9.7,
    "CISA 2025": 9.2,
    "BSI TR-03183-2 v2.0": 7.5,
    "BSI TR-03183-2 v2.1": 7.1,
    "Framing, 3rd edition": 7.3,
    "OpenChain Telco": 8.4,
  },
  "SPDX 2.3": {
    sbomqs: 7.5,
    "NTIA 2021": 9.7,
    "CISA 2025": 9.2,
    "BSI TR-03183-2 v2.0": 6.6,
    "BSI TR-03183-2 v2.1": 5.9,
    "Framing, 3rd edition": 6.4,
    "OpenChain Telco": 8.4,
  },
  "SPDX 3.0.1": {
    sbomqs: 7.5,
    "NTIA 2021": 9.7,
    "CISA 2025": 9.2,
    "BSI TR-03183-2 v2.0": 7.3,
    "BSI TR-03183-2 v2.1": 7.1,
    "Framing, 3rd edition": 7.3,
    "OpenChain Telco": 8.4,
  },
};

/** From 0 to 10; undefined where the form has no member for it. */
type Score = number | undefined;

interface Form {
  readonly name: string;
  readonly write: (image: ReportedImage, stamp: DocumentStamp) => object;
  readonly read: (document: object) => JudgedDocument;
}

const forms: readonly Form[] = [
  { name: "CycloneDX 1.6", write: toCycloneDx, read: judgedCycloneDx },
  {
    name: "CycloneDX 1.7",
    write: (image, stamp) => toCycloneDx(image, stamp, "1.7"),
    read: judgedCycloneDx,
  },
  { name: "SPDX 2.3", write: toSpdx, read: judgedSpdx },
  { name: "SPDX 3.0.1", write: toSpdx3, read: judgedSpdx3 },
];

const share =
  (test: (component: JudgedComponent) => boolean) =>
  ({ components }: JudgedDocument) =>
    (10 * components.filter(test).length) / components.length;
const all =
  (test: (component: JudgedComponent) => boolean) =>
  ({ components }: JudgedDocument) =>
    components.every(test) ? 10 : 0;
const whole = (test: (document: JudgedDocument) => boolean) => (document: JudgedDocument) => (test(document) ? 10 : 0);
/** Only in CycloneDX. */
const inCycloneDx = (score: (document: JudgedDocument) => Score) => (document: JudgedDocument) =>
  document.form === "CycloneDX" ? score(document) : undefined;
/** Counts only if any component has it. */
const ifAny = (test: (component: JudgedComponent) => boolean) => (document: JudgedDocument) =>
  document.components.some(test) ? share(test)(document) : undefined;

const isReachable = ({ email = "", url = "" }: Contact) => /^[^@ ]+@[^@ ]+$/.test(email) || URL.canParse(url);
const isNamed = ({ name = "", email = "" }: Contact) => name !== "" || email !== "";
const isTimed = whole(({ timestamp }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp));
const subjectOf = ({ components, subject }: JudgedDocument) => components.find(({ id }) => id === subject);
const directNeeds = ({ needs, subject }: JudgedDocument) => needs.get(subject) ?? [];
const restrictive = /\b[AL]?GPL/;

/** What counts for each criterion. */
const criteria = {
  name: share(({ name }) => name !== ""),
  version: share(({ version }) => version !== ""),
  "name of each": all(({ name }) => name !== ""),
  "version of each": all(({ version }) => version !== ""),
  "local identifier": share(({ id }) => id !== ""),
  identifier: share(({ purl, cpe }) => purl + cpe !== ""),
  "identifier of each": all(({ purl, cpe }) => purl + cpe !== ""),
  purl: share(({ purl }) => purl !== ""),
  CPE: share(({ cpe }) => cpe !== ""),
  supplier: share(({ supplier = {} }) => isNamed(supplier)),
  "supplier of each": all(({ supplier = {} }) => isNamed(supplier)),
  "maker with an address": share(({ makers }) => makers.some(isReachable)),
  purpose: share(({ purpose }) => purpose !== ""),
  digest: share(({ hashes }) => hashes.length > 0),
  "digest of each": all(({ hashes }) => hashes.length > 0),
  "strong digest": share(({ hashes }) => hashes.some((each) => /^SHA-(256|512)$/.test(each))),
  "SHA-512 of the file": share(({ fileHashes }) => fileHashes.includes("SHA-512")),
  "file name": share(({ fileName }) => fileName !== ""),
  executable: share(({ fileProperties }) => fileProperties.includes("executable")),
  archive: share(({ fileProperties }) => fileProperties.includes("archive")),
  structured: share(({ fileProperties }) => fileProperties.includes("structured")),
  "concluded licence": share(({ concluded }) => concluded !== ""),
  "declared licence": share(({ declared }) => declared !== ""),
  licence: share(({ concluded, declared }) => concluded + declared !== ""),
  "licence of the image": whole((document) => (subjectOf(document)?.declared ?? "") !== ""),
  "licence on the SPDX list": share(({ concluded }) => concluded !== "" && !concluded.includes("LicenseRef-")),
  "no restrictive licence": share(({ concluded }) => !restrictive.test(concluded)),
  "data licence": whole(({ dataLicense }) => dataLicense === "CC0-1.0"),
  "source address": share(({ sourceAddress }) => sourceAddress !== ""),
  "source address, if any": ifAny(({ sourceAddress }) => URL.canParse(sourceAddress)),
  "download address": share(({ downloadAddress }) => downloadAddress !== ""),
  "download address, if any": ifAny(({ downloadAddress }) => URL.canParse(downloadAddress)),
  copyright: share(({ copyright }) => copyright !== ""),
  "copyright of the image": whole((document) => (subjectOf(document)?.copyright ?? "") !== ""),
  timestamp: isTimed,
  author: whole(({ authors }) => authors.some(isNamed)),
  "author or tool": whole(({ authors, tools }) => authors.some(isNamed) || tools.length > 0),
  "author with an address": whole(({ authors, suppliers }) => [...authors, ...suppliers].some(isReachable)),
  "organization and tool": whole(({ authors, tools }) => authors.some(isNamed) && tools.length > 0),
  tool: whole(({ tools }) => tools.some((each) => /[ -]\d/.test(each))),
  "supplier of the document": inCycloneDx(
    whole(({ suppliers }) => suppliers.some((each) => isNamed(each) && each.url !== undefined)),
  ),
  producer: whole((document) => [...document.suppliers, subjectOf(document)?.supplier ?? {}].some(isNamed)),
  identity: whole(({ hasIdentity }) => hasIdentity),
  lifecycle: ({ form, version, lifecycles }) =>
    form === "SPDX" && version < "3" ? undefined : lifecycles.length > 0 ? 10 : 0,
  "lifecycle or comment": whole(({ lifecycles, comment }) => lifecycles.length > 0 || comment !== ""),
  signature: inCycloneDx(whole(({ isSigned }) => isSigned)),
  image: whole((document) => (subjectOf(document)?.name ?? "") !== "" && (subjectOf(document)?.version ?? "") !== ""),
  "needs of the image": whole((document) => directNeeds(document).length > 0),
  "complete needs": inCycloneDx((document) => {
    const relevant = [document.subject, ...directNeeds(document)].filter(
      (id) => (document.needs.get(id) ?? []).length > 0,
    );
    return (10 * relevant.filter((id) => document.completeness.get(id) === "complete").length) / relevant.length;
  }),
  "stated completeness": inCycloneDx(
    share(({ id }) => id !== "") &&
      whole((document) => document.components.every(({ id }) => document.completeness.has(id))),
  ),
  "graph without orphans": whole(({ needs, subject, components }) => {
    const reached = new Set<string>();
    for (const open = [subject]; open.length > 0; ) {
      const id = open.pop() ?? "";
      if (!reached.has(id)) open.push(...(needs.get(id) ?? []));
      reached.add(id);
    }
    return (
      components.every(({ id }) => reached.has(id)) &&
      [...reached].every((id) => components.some((each) => each.id === id))
    );
  }),
  "completeness of the needs of the image": whole((document) =>
    [document.subject, ...directNeeds(document)].every((id) => document.completeness.has(id)),
  ),
  form: whole(({ form }) => form.length > 0),
  "form of 2024": whole(({ form, version }) => (form === "SPDX" ? version >= "2.2" : version >= "1.5")),
  "form of 2025": whole(({ form, version }) => (form === "SPDX" ? version >= "3.0" : version >= "1.6")),
} as const satisfies Readonly<Record<string, (document: JudgedDocument) => Score>>;

type Criterion = keyof typeof criteria;
type Weights = readonly (readonly [criterion: Criterion, weight?: number])[];

const mean = (...names: readonly Criterion[]): Weights => names.map((name) => [name]);
/** Criteria of a category whose weight is of the whole. */
const category = (weight: number, rows: Weights): Weights => {
  const sum = rows.reduce((total, [, own = 1]) => total + own, 0);
  return rows.map(([name, own = 1]) => [name, (weight * own) / sum]);
};

/** The profiles; a criterion without a weight counts as much as another. */
const profiles: Readonly<Record<string, Weights>> = {
  sbomqs: [
    ...category(10, [
      ["name", 0.4],
      ["version", 0.35],
      ["local identifier", 0.25],
    ]),
    ...category(12, [
      ["timestamp", 0.2],
      ["author", 0.2],
      ["tool", 0.2],
      ["supplier of the document", 0.15],
      ["identity", 0.15],
      ["lifecycle", 0.1],
    ]),
    ...category(15, [
      ["strong digest", 0.5],
      ["digest", 0.4],
      ["signature", 0.1],
    ]),
    ...category(12, [
      ["complete needs", 0.25],
      ["stated completeness", 0.15],
      ["image", 0.2],
      ["source address", 0.15],
      ["supplier", 0.15],
      ["purpose", 0.1],
    ]),
    ...category(15, [
      ["concluded licence", 0.4],
      ["licence on the SPDX list", 0.2],
      ["no restrictive licence", 0.2],
      ["declared licence", 0.15],
      ["data licence", 0.1],
    ]),
    ...category(10, [
      ["purl", 0.33],
      ["CPE", 0.33],
      ["identifier", 0.34],
    ]),
    ...category(8, [["form", 1]]),
  ],
  "NTIA 2021": mean("supplier", "name", "version", "identifier", "needs of the image", "author or tool", "timestamp"),
  "CISA 2025": mean(
    ...(["form", "author", "producer", "name", "version", "local identifier", "digest", "licence"] as const),
    ...(["needs of the image", "supplier", "tool", "timestamp", "lifecycle or comment"] as const),
  ),
  "BSI TR-03183-2 v2.0": mean(
    ...(["form of 2024", "author with an address", "timestamp", "maker with an address", "name of each"] as const),
    ...(["version of each", "file name", "graph without orphans", "licence", "SHA-512 of the file"] as const),
    ...(["executable", "archive", "structured", "identity", "source address, if any"] as const),
    ...(["download address, if any", "identifier", "concluded licence"] as const),
  ),
  "BSI TR-03183-2 v2.1": mean(
    ...(["form of 2025", "author with an address", "timestamp", "maker with an address", "name of each"] as const),
    ...(["version of each", "file name", "graph without orphans", "concluded licence", "SHA-512 of the file"] as const),
    ...(["executable", "archive", "structured", "identity", "source address", "download address"] as const),
    ...(["identifier", "declared licence"] as const),
  ),
  "Framing, 3rd edition": mean(
    ...(["timestamp", "author", "image", "name of each", "version of each", "supplier of each"] as const),
    ...(["identifier of each", "digest of each", "completeness of the needs of the image"] as const),
    ...(["licence of the image", "copyright of the image"] as const),
  ),
  "OpenChain Telco": mean(
    ...(["form", "data licence", "identity", "organization and tool", "timestamp", "lifecycle or comment"] as const),
    ...(["name", "local identifier", "version", "supplier", "download address", "concluded licence"] as const),
    ...(["declared licence", "copyright", "needs of the image"] as const),
  ),
};

type Kind = "image" | "system" | "deb" | "apk" | "rpm" | "npm" | "pypi" | "maven";

/** What a component is, by its reference and package URL. */
const kindOf = ({ id, purl }: JudgedComponent): Kind => {
  if (/^pkg:oci/.test(purl)) return "image";
  return /distribution-\d/i.test(id) ? "system" : (purl.slice("pkg:".length, purl.indexOf("/")) as Kind);
};

/** Why a document cannot have the full score of a criterion: a fact about its form, or about components of a kind. */
type Limit = readonly [fact: string, of: "CycloneDX" | "SPDX 2.3" | "SPDX 3.0.1" | "any form" | readonly Kind[]];

const noFile =
  "a package of a distribution, or in a folder, is not one file; the archive that it came in is not in the image";
const logical = "an operating system is not one file and has not one licence: it is the sum of its packages";
const sums: Limit = [noFile, ["deb", "apk", "rpm", "npm", "pypi"]];

/** What no image has, or no form. Each is shown to hold. */
const limits: Partial<Record<Criterion, readonly Limit[]>> = {
  identifier: [
    ["release files of few distributions state a CPE name, and there are no package URLs of distributions", ["system"]],
  ],
  "identifier of each": [["as identifier", ["system"]]],
  purl: [["there are no package URLs of distributions", ["system"]]],
  CPE: [
    ["images have no CPE name", ["image"]],
    ["release files of few distributions state one", ["system"]],
  ],
  "maker with an address": [["release files name no address of the distribution's maker", ["system"]]],
  digest: [sums, [logical, ["system"]]],
  "digest of each": [sums, [logical, ["system"]]],
  "strong digest": [sums, [logical, ["system"]]],
  "SHA-512 of the file": [sums, [logical, ["system"]], ["an image is named by the SHA-256 of its manifest", ["image"]]],
  "file name": [
    ["a package in a folder", ["npm", "pypi"]],
    [logical, ["system"]],
    ["an image is no file", ["image"]],
  ],
  executable: [
    ["SPDX 2.3 has no member for it", "SPDX 2.3"],
    ["SPDX 3 says only what a file is, and none here is a program", "SPDX 3.0.1"],
    ["as its file name", ["npm", "pypi", "system", "image"]],
  ],
  archive: [
    ["SPDX 2.3 has no member for it", "SPDX 2.3"],
    ["as its file name", ["npm", "pypi", "system", "image"]],
  ],
  structured: [
    ["SPDX 2.3 has no member for it", "SPDX 2.3"],
    ["as its file name", ["npm", "pypi", "system", "image"]],
  ],
  "concluded licence": [
    [logical, ["system"]],
    ["Debian states licences that SPDX does not list", ["deb"]],
  ],
  "licence on the SPDX list": [
    [logical, ["system"]],
    ["as the concluded licence", ["deb"]],
  ],
  "declared licence": [[logical, ["system"]]],
  licence: [[logical, ["system"]]],
  "no restrictive licence": [["the packages have such licences", ["deb", "apk", "rpm"]]],
  "source address": [
    ["records name the home page, not the sources", ["apk", "rpm"]],
    [logical, ["system"]],
  ],
  "source address, if any": [["as the source address", ["apk", "rpm", "system"]]],
  "download address": [
    ["records do not say where a package came from", ["deb", "apk", "rpm", "npm", "pypi", "system"]],
    ["the reference of an image is no URL", ["image"]],
  ],
  "download address, if any": [
    ["the image is the only place of a file in it", ["deb", "apk", "rpm", "npm", "pypi", "system", "image"]],
  ],
  copyright: [
    ["only Debian's files state it", ["apk", "rpm", "npm", "pypi", "maven", "system"]],
    ["OCI has no label for it", ["image"]],
  ],
  "copyright of the image": [["OCI has no label for it", "any form"]],
  signature: [["a signature is an attestation about the document, not a part of it", "CycloneDX"]],
  "completeness of the needs of the image": [["SPDX 2.3 has no member for it", "SPDX 2.3"]],
  "form of 2025": [["the profile wants SPDX 3", "SPDX 2.3"]],
};

const stamp: DocumentStamp = {
  toolVersion: "1.0.0",
  createdAt: 0,
  authors: ["Acme <bill@acme.example>"],
  supplier: "Acme <https://acme.example>",
};

const images = new Map<BillImage, ReportedImage>();
beforeAll(async () => {
  for (const name of billImages) images.set(name, await indexBillImage(name));
});

/** The document about an image. */
function documentOf({ write, read }: Form, name: BillImage): JudgedDocument {
  return read(JSON.parse(JSON.stringify(write(images.get(name) as ReportedImage, stamp))));
}

function isOfForm(of: Limit[1], { form, version }: JudgedDocument): boolean {
  return of === "any form" || of === form || of === `${form} ${version}`;
}

/** The score of a criterion, as far as an image can know it; undefined if it cannot. */
function knownScore(criterion: Criterion, document: JudgedDocument): Score {
  const own = limits[criterion] ?? [];
  if (own.some(([, of]) => isOfForm(of, document))) return undefined;
  const unknown = new Set(own.flatMap(([, of]) => (typeof of === "string" ? [] : of)));
  const components = document.components.filter((each) => !unknown.has(kindOf(each)));
  return components.length === 0 ? undefined : criteria[criterion]({ ...document, components });
}

function profileScore(weights: Weights, scoreOf: (criterion: Criterion) => Score): number {
  const rows = weights.flatMap(([criterion, weight = 1]) => {
    const score = scoreOf(criterion);
    return score === undefined ? [] : [[score * weight, weight] as const];
  });
  const sum = (column: 0 | 1) => rows.reduce((total, row) => total + row[column], 0);
  return sum(0) / sum(1);
}

const names = Object.keys(criteria) as readonly Criterion[];

describe.each(forms)("$name", (form) => {
  it.each(billImages)("of the image %s has all that an image can know", (name) => {
    const document = documentOf(form, name);

    const scores = names.map((criterion) => [criterion, knownScore(criterion, document)] as const);
    expect(scores.filter(([, score]) => score !== undefined && score < 10)).toEqual([]);
    for (const weights of Object.values(profiles)) {
      expect(profileScore(weights, (criterion) => knownScore(criterion, document))).toBeGreaterThanOrEqual(9);
    }
  });

  it("has the whole scores of the table", () => {
    const lowest = Object.entries(profiles).map(([profile, weights]) => {
      const scores = billImages.map((name) =>
        profileScore(weights, (criterion) => criteria[criterion](documentOf(form, name))),
      );
      return [profile, Number(Math.min(...scores).toFixed(1))] as const;
    });

    expect(Object.fromEntries(lowest)).toEqual(lowestScores[form.name]);
  });
});

describe("limits", () => {
  it.each(names.filter((name) => limits[name] !== undefined))("of the criterion %s hold", (criterion) => {
    const documents = forms.flatMap((form) => billImages.map((name) => documentOf(form, name)));
    const holds = ([, of]: Limit, kind?: Kind) =>
      documents
        .filter((document) => typeof of !== "string" || isOfForm(of, document))
        .map((document) => ({
          ...document,
          components: document.components.filter((each) => kind === undefined || kindOf(each) === kind),
        }))
        .some((document) => document.components.length > 0 && (criteria[criterion](document) ?? 0) < 10);

    for (const limit of limits[criterion] ?? []) {
      const kinds = typeof limit[1] === "string" ? [undefined] : limit[1];
      for (const kind of kinds) expect(`${kind ?? limit[1]} ${holds(limit, kind)}`).toBe(`${kind ?? limit[1]} true`);
    }
  });
});
