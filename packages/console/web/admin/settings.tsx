import { type RegistryConfig, useRegistryConfig } from "../api/registry-config.ts";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.administration.settings;

type Setting = readonly [name: string, value: string];

/** The settings that the registry tells of. */
export function Settings() {
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={useRegistryConfig()}>
        {(config) => <Table columns={columns} rows={settingsOf(config)} keyOf={([name]) => name} />}
      </Answered>
    </Section>
  );
}

function settingsOf({ config, features, registry_state: state }: RegistryConfig): readonly Setting[] {
  const named = Object.entries<unknown>(config).map(([name, value]) => [name, textOf(value)] as const);
  const switched = Object.entries(features).map(([name, isOn]) => [name, isOn ? words.on : words.off] as const);
  return [[words.state, words.states[state]], ...named, ...switched];
}

function textOf(value: unknown): string {
  return (Array.isArray(value) ? value.join(", ") : String(value)) || "–";
}

const columns: readonly Column<Setting>[] = [
  { title: words.columns.name, isName: true, cell: ([name]) => name },
  { title: words.columns.value, isText: true, cell: ([, value]) => value },
];
