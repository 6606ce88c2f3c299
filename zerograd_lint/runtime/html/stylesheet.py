"""The stylesheet of report pages; colours are variables, and dark is a second set of values."""

STYLESHEET = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1b19; --faint: #6a655f; --rule: #dedad4;
  --bug: #b93815; --right: #0b6e66; --warn: #8a5a00; --code: #f3f0eb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161514; --card: #1f1e1c; --ink: #ece8e2; --faint: #a39d95; --rule: #3a3733;
    --bug: #ff8a65; --right: #5fd3c6; --warn: #f0b94a; --code: #2a2826;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 66rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.45rem; margin: 0 0 .25rem; }
h3 { font-size: .92rem; margin: 1rem 0 .2rem; }
h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
.lead { color: var(--faint); margin: 0 0 1.5rem; overflow-wrap: anywhere; }
.card {
  background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 1.1rem 1.25rem; margin: 0 0 1.1rem;
}
.card header { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; }
.verdict {
  font-size: .78rem; font-weight: 700; letter-spacing: .04em; padding: .12rem .55rem;
  border: 1.5px solid currentColor; border-radius: 999px; white-space: nowrap;
}
.bug { color: var(--bug); } .right { color: var(--right); } .unsure { color: var(--warn); }
p { margin: .6rem 0; overflow-wrap: anywhere; }
pre {
  background: var(--code); border-radius: 6px; padding: .6rem .8rem; margin: .8rem 0;
  overflow-x: auto; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
pre mark { background: none; color: var(--bug); font-weight: 700; }
.numbers { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: .8rem 0; padding: 0; }
.numbers div { display: flex; flex-direction: column-reverse; }
.numbers dt { color: var(--faint); font-size: .82rem; }
.numbers dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figure { margin: 0 0 .8rem; }
figcaption { font-size: .85rem; color: var(--faint); margin-bottom: .2rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
svg .bug { stroke: var(--bug); } svg .right { stroke: var(--right); stroke-dasharray: 6 4; }
svg circle.bug { fill: var(--bug); stroke: none; }
svg circle.right { fill: var(--right); stroke: none; }
.legend { font-size: .85rem; display: flex; gap: 1.2rem; margin: .9rem 0 .3rem; }
.legend span::before {
  content: ""; display: inline-block; width: 1.5rem; border-top: 2px solid currentColor;
  margin-right: .45rem; vertical-align: middle;
}
.legend .right::before { border-top-style: dashed; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td {
  text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--rule);
  vertical-align: top; overflow-wrap: anywhere;
}
th { color: var(--faint); font-weight: 600; }
.words { font-size: 1.1rem; font-weight: 600; } .words:empty { display: none; }
details { font-size: .88rem; color: var(--faint); margin: .4rem 0; }
details dt { font-weight: 600; } details dd { margin: 0 0 .4rem; }
.diff .added { color: var(--right); font-weight: 700; }
.diff .removed { color: var(--bug); text-decoration: line-through; }
.journey { max-width: 26rem; } .journey p { font-size: .85rem; color: var(--faint); margin: 0; }
svg rect.new { fill: var(--right); }
svg rect.wrong { fill: url(#hatch); stroke: var(--bug); stroke-width: 1.5; }
svg rect.hatch { fill: var(--bug); }
svg rect.gone { fill: none; stroke: var(--bug); stroke-width: 1.5; stroke-dasharray: 5 4; }
footer { color: var(--faint); font-size: .82rem; overflow-wrap: anywhere; }
"""
