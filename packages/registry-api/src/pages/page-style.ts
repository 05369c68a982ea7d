/** How every page looks: plain, narrow, as light or dark as the reader's system. */
export const pageStyle = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1.15rem}
label{display:block;font-weight:600}
input:not([type=hidden]){box-sizing:border-box;width:100%;font:inherit;padding:.4rem .5rem}
button{font:inherit;padding:.4rem 1rem}
code{overflow-wrap:anywhere}
[role=alert],[role=status]{border-left:.3rem solid;padding:.2rem .8rem}
.choice{display:flex;gap:1rem;margin:1.5rem 0}
footer{margin-top:3rem;border-top:1px solid;padding-top:.5rem}`;
