import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { CheckField } from "../shared/check-field.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type GateOwner, type GateRules, gateCalls } from "./gate-calls.ts";

const words = texts.pullGate;

interface Props {
  readonly owner: GateOwner;
  /** As they are; undefined where there are none. New ones only note at first. */
  readonly rules: GateRules | undefined;
}

/** Sets what images are refused for. */
export function GateRulesForm({ owner, rules }: Props) {
  const { change: operation, params, affected } = gateCalls(owner);
  const change = useChange(operation, affected);
  const epss = rules?.epss ?? null;
  return (
    <ChangeForm
      layout="fields"
      label={words.save}
      change={change}
      given={(typed) => ({ params, body: typedRules(typed) })}
    >
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
    </ChangeForm>
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
