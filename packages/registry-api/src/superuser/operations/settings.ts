import { type Static, Type } from "typebox";
import { superusers } from "../../access/on-account.ts";
import { operation } from "../../operation.ts";
import type { SettingInForce } from "../../ports/settings-in-force.ts";

const Setting = Type.Object({
  name: Type.String(),
  group: Type.String({ description: "The title of the settings that it belongs to" }),
  meaning: Type.String({ description: "What it does, in Markdown" }),
  default: Type.String({ description: "What holds where it is not set" }),
  value: Type.Union([Type.String(), Type.Null()], {
    description: "What was given, as JSON without credentials; null for secrets, and where the default holds",
  }),
  secret: Type.Boolean({ description: "What was given is never shown" }),
  source: Type.Enum(["flag", "environment", "file", "default"], { description: "Where it was given" }),
  file: Type.Union([Type.String(), Type.Null()], { description: "The path of the configuration file" }),
});

function settingView({ value, isSecret, file, ...setting }: SettingInForce): Static<typeof Setting> {
  return { ...setting, value: value ?? null, secret: isSecret, file: file ?? null };
}

const listSettings = operation({
  tag: "superuser",
  isOwn: true,
  access: superusers,
  id: "listSettings",
  method: "GET",
  path: "/superuser/settings",
  summary: "Every setting of the process that answers: its value, its default, where it was given, and what it means.",
  success: 200,
  result: Type.Object({
    settings: Type.Union([Type.Array(Setting), Type.Null()], {
      description: "null where a program of the operator's own starts the registry",
    }),
  }),
  handle: async (_, { ports: { settings } }) => ({ settings: settings?.map(settingView) ?? null }),
});

/** The settings in force, for superusers. */
export const settingOperations = [listSettings];
