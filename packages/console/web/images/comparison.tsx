import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { SeverityBadge } from "../severities/severity-bar.tsx";
import { Answered } from "../shared/answered.tsx";
import { SelectField } from "../shared/fields.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import { missingResultText, type ShownImage } from "./shown-image.ts";

const words = texts.comparison;

/** How many of the latest tags are offered. */
const maxTags = 100;

type Tag = ResultOf<"GET /repository/{repository}/tag/">["tags"][number];

/** The differences between the image and the image of another tag, which is in the address: `?view=compare&compare=1.0`. */
export function Comparison(image: ShownImage) {
  const [before, setBefore] = useSearchParam("compare", "added");
  const [, choosePlatform] = useSearchParam("platform");
  const chooseOther = () => {
    setBefore("");
    choosePlatform(""); // another tag may not have it
  };
  if (before === "") return <TagChoice image={image} onChoice={setBefore} />;
  return (
    <>
      <p className="actions">
        {words.comparedWith(before)}
        <button type="button" onClick={chooseOther}>
          {words.chooseOther}
        </button>
      </p>
      <Diff image={image} before={before} />
    </>
  );
}

interface ChoiceProps {
  readonly image: ShownImage;
  readonly onChoice: (tag: string) => void;
}

function TagChoice({ image: { repository, digest }, onChoice }: ChoiceProps) {
  const query = { onlyActiveTags: true, limit: maxTags };
  const found = useOperation("GET /repository/{repository}/tag/", { params: { repository }, query });
  const [tag, setTag] = useState("");
  return (
    <Answered query={found}>
      {({ tags }) => {
        const others = tags.filter(({ manifest_digest: of }) => of !== digest);
        if (others.length === 0) return <NoOther tags={tags} digest={digest} />;
        return (
          <>
            <div className="line">
              <label>
                {words.title}
                <select value={tag} onChange={({ target }) => setTag(target.value)}>
                  <option value="">{words.choose}</option>
                  {others.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
              <div className="actions">
                <button type="button" disabled={tag === ""} onClick={() => onChoice(tag)}>
                  {words.compare}
                </button>
              </div>
            </div>
            <p className="empty">{words.nothingChosen}</p>
          </>
        );
      }}
    </Answered>
  );
}

/** The reason why there is no tag to choose. */
function NoOther({ tags, digest }: { readonly tags: readonly Tag[]; readonly digest: string }) {
  const areSame = tags.length > 1 && tags.every(({ manifest_digest: of }) => of === digest);
  return <p className="empty">{areSame ? words.sameImage : words.noOther}</p>;
}

interface DiffProps {
  readonly image: ShownImage;
  /** A tag; where it names a list of images, the platform is in the address as well: the first where it names none. */
  readonly before: string;
}

function Diff({ image: { repository, digest }, before }: DiffProps) {
  const [platform, choose] = useSearchParam("platform");
  const found = useOperation(
    "GET /repository/{repository}/manifest/{manifestref}/security/diff",
    { params: { repository, manifestref: digest }, query: { before, platform: platform || undefined } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Answered query={found}>
      {({ status, diff, reason, before: { digest: compared, platform: current, platforms = [] } }) => (
        <>
          {platforms.length > 0 && (
            <SelectField
              key={current}
              name="platform"
              label={words.platform}
              options={Object.fromEntries(platforms.map((name) => [name, name]))}
              defaultValue={current ?? ""}
              onChoice={choose}
            />
          )}
          {compared === digest && <p className="empty">{words.sameDigest}</p>}
          {compared !== digest && diff === null && <p role="status">{missingResultText(status, reason)}</p>}
          {compared !== digest && diff !== null && <DiffTables diff={diff} />}
        </>
      )}
    </Answered>
  );
}

type ImageDiff = NonNullable<ResultOf<"GET /repository/{repository}/manifest/{manifestref}/security/diff">["diff"]>;
type Change = keyof typeof texts.comparison.changes;
type FindingRow = ImageDiff["findings"]["added"][number] & { readonly change: Change };
type PackageRow = { readonly change: Change; readonly name: string; readonly before: string; readonly after: string };
const { columns: titles } = words;

/** The vulnerabilities and packages that were added, removed or changed. */
export function DiffTables({ diff }: { readonly diff: ImageDiff }) {
  const { findings, packages, licenses, dependencies, partial } = diff;
  const { added, removed, unchanged } = findings;
  const changed = [...added.map(withChange("added")), ...removed.map(withChange("removed"))];
  return (
    <>
      <h2>{words.findings}</h2>
      <p>{words.summary(added.length, removed.length, unchanged)}</p>
      {partial && <p className="notice">{words.partial}</p>}
      {changed.length === 0 ? (
        <p className="empty">{words.sameFindings}</p>
      ) : (
        <Rows columns={findingColumns} rows={changed} />
      )}
      <h2>{words.packages}</h2>
      <Packages packages={packages} />
      <Changes title={words.licenses} none={words.sameLicenses} columns={licenseColumns} rows={licenses} />
      <Changes title={words.dependencies} none={words.sameDependencies} columns={needColumns} rows={dependencies} />
    </>
  );
}

interface ChangesProps<Row> {
  readonly title: string;
  /** The text where nothing has changed. */
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined if the scanner does not say it. */
  readonly rows: readonly Row[] | undefined;
}

function Changes<Row>({ title, none, columns, rows }: ChangesProps<Row>) {
  if (rows === undefined) return undefined;
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? <p className="empty">{none}</p> : <Rows columns={columns} rows={rows} />}
    </>
  );
}

function Packages({ packages: { added, removed, changed } }: Pick<ImageDiff, "packages">) {
  const rows: readonly PackageRow[] = [
    ...added.map(({ name, version }) => ({ change: "added", name, before: "–", after: version }) as const),
    ...removed.map(({ name, version }) => ({ change: "removed", name, before: version, after: "–" }) as const),
    ...changed.map((each) => ({ change: "changed", ...each }) as const),
  ];
  return rows.length === 0 ? <p className="empty">{words.same}</p> : <Rows columns={packageColumns} rows={rows} />;
}

function Rows<Row>({ columns, rows }: { readonly columns: readonly Column<Row>[]; readonly rows: readonly Row[] }) {
  const shown = useShownRows(rows);
  return (
    <>
      <Table columns={columns} rows={shown.rows} keyOf={(row, index) => `${JSON.stringify(row)} ${index}`} />
      <MoreRows {...shown} />
    </>
  );
}

function withChange(change: Change) {
  return <Row extends object>(row: Row) => ({ ...row, change });
}

const findingColumns: readonly Column<FindingRow>[] = [
  { title: titles.change, cell: ({ change }) => words.changes[change] },
  { title: titles.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { title: titles.id, isName: true, cell: ({ name }) => name },
  { title: titles.package, cell: (row) => `${row.package} ${row.version}` },
  { title: titles.fixed, cell: ({ fixed_by: fixedIn }) => fixedIn || texts.findings.noFix },
  { title: titles.cause, cell: ({ cause }) => words.causes[cause] },
];

const packageColumns: readonly Column<PackageRow>[] = [
  { title: titles.change, cell: ({ change }) => words.changes[change] },
  { title: titles.package, isName: true, cell: ({ name }) => name },
  { title: titles.before, cell: ({ before }) => before },
  { title: titles.after, cell: ({ after }) => after },
];

const licenseColumns: readonly Column<NonNullable<ImageDiff["licenses"]>[number]>[] = [
  { title: titles.package, isName: true, cell: (row) => row.package },
  { title: titles.before, isText: true, cell: ({ before }) => before ?? words.notStated },
  { title: titles.after, isText: true, cell: ({ after }) => after ?? words.notStated },
];

const needColumns: readonly Column<NonNullable<ImageDiff["dependencies"]>[number]>[] = [
  { title: titles.package, isName: true, cell: (row) => row.package },
  { title: titles.noLonger, isText: true, cell: ({ removed }) => removed.join(", ") || "–" },
  { title: titles.now, isText: true, cell: ({ added }) => added.join(", ") || "–" },
];
