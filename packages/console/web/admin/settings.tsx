import { useDeferredValue } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Chip } from "../shared/chip.tsx";
import { SearchField } from "../shared/fields.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Setting = NonNullable<ResultOf<"GET /superuser/settings">["settings"]>[number];

const words = texts.administration.settings;

/** Every setting of the process with its value, source and meaning. The filters are in the address. */
export function Settings() {
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={useOperation("GET /superuser/settings", {})}>
        {({ settings }) =>
          settings === null ? <p className="empty">{words.unknown}</p> : <Found settings={settings} />
        }
      </Answered>
    </Section>
  );
}

function Found({ settings }: { readonly settings: readonly Setting[] }) {
  const [text, setText] = useSearchParam("find");
  const [given] = useSearchParam("given");
  const filter = useDeferredValue(text).toLowerCase();
  const shown = settings.filter(
    ({ name, group, meaning, source }) =>
      (given !== "yes" || source !== "default") &&
      [name, group, meaning].some((part) => part.toLowerCase().includes(filter)),
  );
  const groups = Map.groupBy(shown, ({ group }) => group);
  return (
    <>
      <div className="filters">
        <SearchField label={words.filter} value={text} onValue={setText} />
        <Chip param="given" value="yes">
          {words.onlyGiven}
        </Chip>
      </div>
      {shown.length === 0 && <p className="empty">{words.noneLike}</p>}
      {[...groups].map(([group, rows]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <Table columns={columns} rows={rows} keyOf={({ name }) => name} />
        </section>
      ))}
    </>
  );
}

const columns: readonly Column<Setting>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => <code>{name}</code> },
  { title: words.columns.value, isText: true, cell: (setting) => <Value setting={setting} /> },
  { title: words.columns.source, cell: ({ source, file }) => (file === null ? words.sources[source] : file) },
  { title: words.columns.meaning, isText: true, cell: ({ meaning }) => <Meaning text={meaning} /> },
];

function Value({ setting: { value, secret, source, default: otherwise } }: { readonly setting: Setting }) {
  if (source === "default") {
    return (
      <>
        {words.default} <Meaning text={otherwise} />
      </>
    );
  }
  return secret ? words.secret : <code>{value}</code>;
}

/** Renders the Markdown of descriptions of settings: code spans, and links as plain text. */
function Meaning({ text }: { readonly text: string }) {
  const parts = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key and keep their order
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
