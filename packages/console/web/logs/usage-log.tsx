import { useRegistryConfig } from "../api/registry-config.ts";
import { usePages } from "../api/use-pages.ts";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type LogOwner, logCalls } from "./log-calls.ts";
import { LogChart } from "./log-chart.tsx";
import { apiDay, logDays } from "./log-days.ts";
import { LogEntries } from "./log-entries.tsx";
import { LogExport } from "./log-export.tsx";

const words = texts.logs;

/** The usage log of an owner: entries by day, their list and their export. The period and filters are in the address. */
export function UsageLog({ owner }: { readonly owner: LogOwner }) {
  const [from, setFrom] = useSearchParam("from");
  const [to, setTo] = useSearchParam("to");
  const [by, setBy] = useSearchParam("by");
  const [kind, setKind] = useSearchParam("kind");
  const mayExport = useRegistryConfig().data?.features.LOG_EXPORT === true;
  const { list, params, hasPerformer, hasExport } = logCalls(owner);
  const days = logDays(from, to, Date.now());
  const dates = { starttime: apiDay(days.from), endtime: apiDay(days.to) };
  const query = { ...dates, counts: true, performer: hasPerformer && by !== "" ? by : undefined };
  const given = { params, query };
  const entries = usePages(list, given);
  return (
    <Section title={words.title} about={words.days}>
      <div className="line">
        <TextField
          name="from"
          label={words.from}
          type="date"
          value={days.from}
          max={days.to}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          name="to"
          label={words.to}
          type="date"
          value={days.to}
          min={days.from}
          onChange={({ target }) => setTo(target.value)}
        />
        {hasPerformer && (
          <TextField name="by" label={words.by} value={by} onChange={({ target }) => setBy(target.value)} />
        )}
      </div>
      <Paged query={entries}>
        {(pages) => (
          <>
            <LogChart counts={pages[0]?.aggregated} days={days} kind={kind} onKind={setKind} />
            <LogEntries entries={pages.flatMap(({ logs }) => logs)} kind={kind} />
          </>
        )}
      </Paged>
      {hasExport && mayExport && <LogExport owner={owner} dates={dates} />}
    </Section>
  );
}
