/** The style of a report in HTML: light and dark, from 320 pixels on, and on paper. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #59636e; --page: #f6f7f9; --card: #fff; --line: #d9dee4; --link: #0958b3;
  --warn: #fff4d6; --warn-line: #d4a72c; --good: #dcf5e3; --good-line: #3f9b5c;
  --critical: #a40e26; --high: #b34700; --medium: #7d5b00; --low: #2f6b8f; --negligible: #59636e; --unknown: #59636e; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --text: #e3e8ee; --quiet: #9aa5b1; --page: #0f1317; --card: #181d23;
  --line: #303842; --link: #74b3ff; --warn: #332a10; --warn-line: #8f7420; --good: #12301d; --good-line: #2f7a48;
  --critical: #ff8593; --high: #ffa066; --medium: #e5c04d; --low: #7cc0e8; --negligible: #9aa5b1; --unknown: #9aa5b1; } }
:root[data-theme="dark"] { --text: #e3e8ee; --quiet: #9aa5b1; --page: #0f1317; --card: #181d23;
  --line: #303842; --link: #74b3ff; --warn: #332a10; --warn-line: #8f7420; --good: #12301d; --good-line: #2f7a48;
  --critical: #ff8593; --high: #ffa066; --medium: #e5c04d; --low: #7cc0e8; --negligible: #9aa5b1; --unknown: #9aa5b1; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--page); }
main, header, footer { max-width: 1200px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 20px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 28px 0 8px; }
a { color: var(--link); }
code, .mono { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.about { margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
.top { display: flex; gap: 12px; justify-content: space-between; align-items: start; }
button, input, select { font: inherit; color: inherit; }
button { white-space: nowrap; }
button, .chip { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 5px 10px; cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(96px, 1fr)); gap: 8px; margin: 16px 0; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 8px 12px; }
.tiles b { display: block; font-size: 22px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.note { border: 1px solid var(--good-line); background: var(--good); border-radius: 10px; padding: 10px 14px; margin: 12px 0; }
.note.gaps { border-color: var(--warn-line); background: var(--warn); }
.note p { margin: 0; }
.note ul { margin: 6px 0 0; padding-left: 20px; overflow-wrap: anywhere; }
.controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; position: sticky; top: 0; z-index: 1; background: var(--page); padding: 10px 0; }
.controls input[type="search"] { flex: 1 1 220px; min-width: 0; padding: 7px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.chip { display: inline-flex; gap: 6px; align-items: center; padding: 4px 10px; }
.chip input { margin: 0; }
.scriptless .controls, .scriptless .themes { display: none; }
table { width: 100%; border-collapse: separate; border-spacing: 0; }
.findings { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
th { text-align: left; font-weight: 600; font-size: 13px; padding: 8px 10px; white-space: nowrap; }
th button { border: 0; background: none; padding: 2px 0; font-weight: 600; }
th[aria-sort] button::after { content: " \\25be"; }
th[aria-sort="ascending"] button::after { content: " \\25b4"; }
tbody.finding td { border-top: 1px solid var(--line); padding: 8px 10px 2px; vertical-align: top; overflow-wrap: anywhere; }
tbody.finding tr.more td { border-top: 0; padding: 0 10px 8px; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.severity { font-weight: 650; white-space: nowrap; }
.Critical { color: var(--critical); } .High { color: var(--high); } .Medium { color: var(--medium); } .Low { color: var(--low); }
.Negligible { color: var(--negligible); } .Unknown { color: var(--unknown); }
.exploited { display: inline-block; background: var(--critical); color: var(--card); border-radius: 6px; padding: 0 7px; font-size: 12px; font-weight: 650; }
summary { cursor: pointer; }
tr.more summary::before { content: "\\25b8  "; } tr.more details[open] summary::before { content: "\\25be  "; }
.alias { display: block; font-size: 12.5px; color: var(--quiet); }
tr.more summary { color: var(--quiet); overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-line-clamp: 1; -webkit-box-orient: vertical; }
tr.more details[open] summary { -webkit-line-clamp: none; display: block; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 8px 0 4px; padding: 10px 14px; background: var(--page); border-radius: 8px; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; } dd p { margin: 0 0 6px; white-space: pre-line; }
.none { padding: 24px 14px; margin: 0; text-align: center; color: var(--quiet); }
.plain td, .plain th { padding: 5px 10px; border-top: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; text-align: left; }
footer { padding: 24px 16px 40px; color: var(--quiet); font-size: 13px; }
[hidden] { display: none !important; }
@media (max-width: 760px) {
  .findings thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .findings, .findings tbody, .findings tr, .findings td { display: block; width: 100%; }
  .findings tr { display: flex; flex-wrap: wrap; gap: 0 14px; padding: 0 12px; }
  .findings td, .findings td.number { width: auto; padding: 0 !important; border: 0 !important; white-space: normal; }
  .findings td:empty { display: none; }
  .findings td[data-label]::before { content: attr(data-label) " "; color: var(--quiet); font-size: 12.5px; }
  .findings td.wide { flex: 1 0 100%; }
  tbody.finding { border-top: 1px solid var(--line); padding: 10px 0; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 6px; }
  .controls { position: static; } .controls input[type="search"] { flex-basis: 100%; }
  .alias { display: inline; margin-left: 8px; }
}
@media print { .controls, .themes { display: none; } body { background: #fff; } }
`;
