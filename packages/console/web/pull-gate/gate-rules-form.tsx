import { useChange } from "../api/use-change.ts";
import type { Typed } from "../shared/change-form.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { CheckField, chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { texts } from "../texts/texts.ts";
import { type Gate, type GateRules, gateCalls } from "./gate-calls.ts";

const words = texts.pullGate;

interface Props {
  readonly owner: RuleOwner;
  /** The current gate; null if there is none. */
  readonly gate: Gate | null;
}

/** Sets the rules of a gate. */
export function GateRulesForm({ owner, gate }: Props) {
  const { change: operation, params, affected } = gateCalls(owner);
  const change = useChange(operation, affected);
  return (
    <EditForm
      layout="fields"
      label={words.save}
      change={change}
      given={(typed) => ({ params, body: typedRules(typed) })}
      value={gate}
      fields={(shown) => <GateFields rules={shown?.rules} />}
    />
  );
}

/** The fields of the rules. By default, a new gate only records what it would refuse. */
function GateFields({ rules }: { readonly rules: GateRules | undefined }) {
  const epss = rules?.epss ?? null;
  return (
    <>
      <SelectField name="mode" label={words.mode} options={words.modes} defaultValue={rules?.mode ?? "dry_run"} />
      <SelectField
        name="severity"
        label={words.severity}
        options={words.severities}
        defaultValue={rules === undefined ? "Critical" : (rules.severity ?? "none")}
      />
      <TextField
        name="epss"
        label={words.epss}
        type="number"
        min={0}
        max={100}
        step="any"
        defaultValue={epss === null ? "" : epss * 100}
      />
      <CheckField name="exploited" label={words.exploited} isChecked={rules?.known_exploited ?? false} />
      <CheckField name="fixed" label={words.onlyFixed} isChecked={rules?.only_fixed ?? false} />
      <TextField
        name="grace"
        label={words.grace}
        type="number"
        min={0}
        max={3650}
        required
        defaultValue={rules?.grace_days ?? 0}
      />
      <SelectField
        name="pending"
        label={words.pending}
        options={words.pendings}
        defaultValue={rules?.pending ?? "allow"}
      />
    </>
  );
}

function typedRules(typed: Typed): GateRules {
  const severity = chosenOf(words.severities, typed("severity"));
  const epss = typed("epss");
  return {
    mode: chosenOf(words.modes, typed("mode")),
    pending: chosenOf(words.pendings, typed("pending")),
    severity: severity === "none" ? null : severity,
    known_exploited: typed("exploited") === "on",
    epss: epss === "" ? null : Number(epss) / 100,
    only_fixed: typed("fixed") === "on",
    grace_days: Number(typed("grace")),
  };
}
