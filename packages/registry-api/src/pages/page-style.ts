/** The style sheet of all pages: one narrow column with the colours of the console, light or dark as the reader's system. */
export const pageStyle = `:root{color-scheme:light dark;--ground:light-dark(#fff,#15181b);--line:light-dark(#d5d9dd,#363c42);--text:light-dark(#1c2024,#e6e8ea);--quiet:light-dark(#59626b,#a3abb3);--accent:light-dark(#1a6079,#6fc0dc);--on-accent:light-dark(#fff,#0c1a20);--critical:light-dark(#b3261e,#ff8a80)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:480px;padding:48px 16px;background:var(--ground);color:var(--text);font:14px/20px system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0 0 16px;font-size:20px;line-height:28px}
h2{margin:24px 0 8px;font-size:16px;line-height:24px}
a,summary{color:var(--accent)}
label{display:block;margin-bottom:4px}
input,button{font:inherit;color:inherit;padding:4px 8px;border:1px solid var(--line);border-radius:6px;background:var(--ground)}
input:not([type=hidden]){width:100%}
button{cursor:pointer}
form>p>button:only-child,.choice form:first-child button{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
code{font:13px ui-monospace,monospace}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert],[role=status]{padding:8px 12px;border:1px solid var(--line);border-radius:6px}
[role=alert]{border-color:var(--critical)}
.choice{display:flex;gap:8px;margin:16px 0}
footer{margin-top:48px;padding-top:8px;border-top:1px solid var(--line);color:var(--quiet)}`;
