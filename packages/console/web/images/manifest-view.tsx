import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { usePages } from "../api/use-pages.ts";
import { SizeBar } from "../charts/bar-chart.tsx";
import { imagePath } from "../places.ts";
import type { ListedTag } from "../repositories/tag-query.ts";
import { Digest } from "../shared/copy-button.tsx";
import { Fact } from "../shared/fact.tsx";
import { Lazily } from "../shared/lazily.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Tabs } from "../shared/tabs.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { ArtifactList } from "./artifact-list.tsx";
import { SecurityView } from "./security-view.tsx";
import type { ShownImage } from "./shown-image.ts";

type ViewName = keyof typeof texts.image.tabs;

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly manifest: ShownManifest;
}

/** A manifest: an image index with its platforms, or one image with its views. */
export function ManifestView({ namespace, repository, manifest }: Props) {
  const [view] = useSearchParam("view");
  const { digest, is_manifest_list: isList, layers_compressed_size: sizeBytes, tag } = manifest;
  const { vulnerabilities, packages, licenses, layers, compare, platforms, ...both } = texts.image.tabs;
  const tabs = isList ? { platforms, ...both } : { vulnerabilities, packages, licenses, layers, ...both, compare };
  const current = namedOrFirst<ViewName>(tabs, view);
  return (
    <>
      <dl className="facts in-line">
        <Fact name={texts.image.digest}>
          <Digest digest={digest} />
        </Fact>
        {!isList && <Fact name={texts.image.size}>{formatSize(sizeBytes ?? 0)}</Fact>}
        {tag === undefined ? <FirstPush manifest={manifest} /> : <LastChange tag={tag} />}
      </dl>
      <Tabs label={digest} tabs={tabs} current={current} />
      <View namespace={namespace} repository={repository} manifest={manifest} view={current} />
    </>
  );
}

/** When a tag was last moved, and by whom, if that is known and visible to the visitor. */
function LastChange({ tag: { start_ts: at, pushed_by: by } }: { readonly tag: ListedTag }) {
  const { pushed, changed } = texts.image;
  return <PushFact name={by === undefined ? changed : pushed} at={at} by={by} />;
}

/** When an image was first pushed to the repository, and by whom, if that is known and visible to the visitor. */
function FirstPush({ manifest: { pushed_ts: at, pushed_by: by } }: Pick<Props, "manifest">) {
  const { firstPushed, since } = texts.image;
  return at !== undefined && <PushFact name={by === undefined ? since : firstPushed} at={at} by={by} />;
}

interface PushFactProps {
  readonly name: string;
  /** Epoch seconds. */
  readonly at: number;
  readonly by: string | undefined;
}

function PushFact({ name, at, by }: PushFactProps) {
  return (
    <Fact name={name}>
      <Time at={at * 1000} /> {by !== undefined && texts.image.pushedBy(by)}
    </Fact>
  );
}

interface ViewProps extends Props {
  readonly view: ViewName;
}

const loadLicenses = async () => (await import("./licenses.tsx")).Licenses;
const loadComparison = async () => (await import("./comparison.tsx")).Comparison;

function View({ namespace, repository, manifest, view }: ViewProps) {
  const { data } = useRegistryConfig();
  const { digest } = manifest;
  const name = `${namespace}/${repository}`;
  if (view === "platforms") return <PlatformList namespace={namespace} repository={repository} manifest={manifest} />;
  if (view === "layers") return <LayerTable layers={manifest.layers ?? []} />;
  if (view === "labels") return <LabelList repository={name} digest={digest} />;
  if (view === "artifacts") return <ArtifactList namespace={namespace} repository={repository} digest={digest} />;
  if (data?.features.SECURITY_SCANNER === false) return <p className="empty">{texts.image.off}</p>;
  if (view === "licenses") {
    return (
      <Lazily name="licenses" load={loadLicenses}>
        {(Licenses) => <Licenses repository={name} digest={digest} />}
      </Lazily>
    );
  }
  if (view === "compare") {
    return (
      <Lazily name="comparison" load={loadComparison}>
        {(Comparison) => <Comparison repository={name} digest={digest} />}
      </Lazily>
    );
  }
  return <SecurityView repository={name} digest={digest} view={view} />;
}

type Layer = NonNullable<ShownManifest["layers"]>[number];

/** A layer with the size of the largest one of its image. */
type SizedLayer = Layer & { readonly largest: number };

/** The build steps of an image, each with its layer. */
function LayerTable({ layers }: { readonly layers: readonly Layer[] }) {
  const largest = Math.max(0, ...layers.map(({ compressed_size: sizeBytes }) => sizeBytes ?? 0));
  const rows = layers.map((layer): SizedLayer => ({ ...layer, largest }));
  return <Table columns={columns} rows={rows} keyOf={({ index }) => String(index)} />;
}

const words = texts.image.layers;

const columns: readonly Column<SizedLayer>[] = [
  {
    title: words.step,
    isText: true,
    cell: ({ command, comment }) => <code className="step">{command?.join(" ") ?? comment ?? "–"}</code>,
  },
  {
    title: words.digest,
    cell: ({ compressed_size: sizeBytes, blob_digest: digest }) =>
      sizeBytes === 0 ? words.empty : <Digest digest={digest} />,
  },
  {
    title: words.size,
    isNumber: true,
    cell: ({ compressed_size: sizeBytes, largest }) => <SizeBar bytes={sizeBytes ?? 0} largest={largest} />,
  },
];

/** The images of an image index, by platform. */
function PlatformList({ namespace, repository, manifest }: Props) {
  return (
    <section aria-labelledby="platforms">
      <h2 id="platforms">{texts.image.platforms}</h2>
      <p>{texts.image.choosePlatform}</p>
      <ul className="results">
        {platformsOf(manifest).map(({ digest, platform }) => (
          <li key={digest}>
            <Link href={imagePath(namespace, repository, { kind: "digest", digest })}>{platform}</Link>{" "}
            <Digest digest={digest} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A manifest as the management API shows it. */
type ShownManifest = ResultOf<"GET /repository/{repository}/manifest/{manifestref}">;

/** An image of an image index. */
interface PlatformImage {
  readonly digest: string;
  /** Such as `linux/arm64/v8`; for an entry that is not an image, the kind of attestation. */
  readonly platform: string;
}

interface StoredIndex {
  readonly manifests?: readonly {
    readonly digest: string;
    readonly platform?: { readonly os?: string; readonly architecture?: string; readonly variant?: string };
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

/** The entries of an image index, in their order. */
export function platformsOf({
  manifest_data: content,
}: Pick<ShownManifest, "manifest_data">): readonly PlatformImage[] {
  const { manifests = [] } = JSON.parse(content) as StoredIndex;
  return manifests.map(({ digest, platform = {}, annotations = {} }) => {
    const { os, architecture, variant } = platform;
    const kind = annotations["vnd.docker.reference.type"];
    const names = [os, architecture, variant].filter((name) => name !== undefined && name !== "");
    return { digest, platform: kind ?? (names.length > 0 ? names.join("/") : "–") };
  });
}

type Label = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/labels">["labels"][number];

const labelWords = texts.image.labels;

/** The labels of an image or image index: those of its build, and those that were added in the registry. */
function LabelList({ repository, digest }: ShownImage) {
  const labels = usePages("GET /repository/{repository}/manifest/{manifestref}/labels", {
    params: { repository, manifestref: digest },
    query: {},
  });
  return (
    <Paged query={labels}>
      {(pages) => (
        <Table
          columns={labelColumns}
          rows={pages.flatMap((page) => page.labels)}
          keyOf={({ id }) => id}
          empty={labelWords.none}
        />
      )}
    </Paged>
  );
}

const labelColumns: readonly Column<Label>[] = [
  { title: labelWords.key, isName: true, isText: true, cell: ({ key }) => key },
  { title: labelWords.value, isText: true, cell: ({ value }) => value },
  { title: labelWords.source, cell: ({ source_type: source }) => labelWords.sources[source] },
];
