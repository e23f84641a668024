import { hash } from 'node:crypto'

/** The one stylesheet of all pages: one column that fits a phone, light or dark as the reader's system is. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --text: #1b1f24; --quiet: #57606a; --line: #c9ced6;
  --accent: #0b57a4; --on-accent: #ffffff; --danger: #a4171c; --good: #14622b; --chart: #3a7fc4; --chart-refused: #c4453a; --chart-waiting: #c08a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1f242a; --text: #e8eaed; --quiet: #a9b1bb; --line: #47505a;
    --accent: #8ab8f0; --on-accent: #0c1a2b; --danger: #ff9a94; --good: #86d79b; --chart: #6ea8e6; --chart-refused: #f0847b; --chart-waiting: #e3b341;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); min-height: 100vh; display: flex; flex-direction: column; }
.band { padding: 0 1rem; }
.band > *, main { max-width: 60rem; width: 100%; margin: 0 auto; }
header.band { background: var(--raised); border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; padding: .25rem 0; }
header nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0; flex: 1; }
header nav a { display: inline-block; padding: .5rem 0; }
header nav .name { font-weight: 700; color: var(--text); text-decoration: none; }
header nav a[aria-current] { font-weight: 600; color: var(--text); text-decoration-thickness: .15em; }
header form { margin: 0; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
main { flex: 1; max-width: 62rem; padding: 1.5rem 1rem 3rem; }
main:focus { outline: none; }
main.narrow { max-width: 28rem; }
footer.band { border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem; }
footer p { padding: .75rem 0; margin: 0 auto; }
.skip { position: absolute; left: -100vw; background: var(--ground); padding: .75rem 1rem; }
.skip:focus { left: 0; top: 0; z-index: 1; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p, ul, ol, dl, table { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: .15em; }
code, .code { font: .9rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; }
.card > :last-child { margin-bottom: 0; }
.notice, .problem { margin: 0 0 1rem; border: 1px solid; border-left-width: .4rem; border-radius: .25rem; padding: .6rem .9rem; }
.notice { border-color: var(--good); }
.problem { border-color: var(--danger); }
.problem ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.plain { list-style: none; padding: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; }
.field { margin: 0 0 1rem; border: 0; padding: 0; }
.field > label, .field > legend { display: block; font-weight: 600; padding: 0; }
.field .hint { display: block; color: var(--quiet); font-size: .9rem; }
.field .fault { display: block; color: var(--danger); font-size: .9rem; font-weight: 600; }
.choice { display: flex; gap: .5rem; align-items: flex-start; padding: .25rem 0; }
.choice input { margin-top: .3rem; }
input[type=text], input[type=password], input[type=url], input[type=search], input[type=number], input[type=email], input[type=date],
textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet);
  border-radius: .3rem; padding: .5rem .6rem; min-height: 2.75rem;
}
[aria-invalid=true] { border-color: var(--danger); border-width: 2px; }
button, .button {
  font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .3rem; padding: .5rem 1rem;
  min-height: 2.75rem; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; display: inline-block;
}
button.second, .button.second { background: transparent; color: var(--accent); }
button.danger { background: transparent; border-color: var(--danger); color: var(--danger); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
.chart-calls { fill: var(--chart); }
.chart-refused { fill: var(--chart-refused); }
.chart-waiting { fill: var(--chart-waiting); }
.chart-text { fill: var(--quiet); font-size: 14px; }
.chart-line { stroke: var(--line); stroke-width: 1; }
.chart { margin: 0 0 1rem; max-width: 40rem; }
.chart svg { display: block; width: 100%; }
.key { display: inline-block; margin-right: .75rem; }
.swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: .15rem; vertical-align: -.05rem; }
.swatch.calls { background: var(--chart); }
.swatch.refused { background: var(--chart-refused); }
.swatch.waiting { background: var(--chart-waiting); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 1rem; }
summary { cursor: pointer; padding: .25rem 0; }
details { margin: 0 0 1rem; }
.places li { padding: .35rem 0; }
.places .quiet { display: block; font-size: .95rem; }
.qr svg { display: block; width: 14rem; max-width: 100%; margin: .5rem 0; }
pre.card { font: .9rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.lines { white-space: pre-line; overflow-wrap: anywhere; }
.search { display: flex; gap: .5rem; }
.search input { flex: 1; min-width: 0; }
.events li { padding: .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.events .quiet { display: block; font-size: .9rem; }
ul.actions { margin-left: 0; }
.card > :first-child { margin-top: 0; }
.plain.card { padding: 1rem; }
.keys { display: block; }
.field .hint, .field .fault { margin-bottom: .25rem; }
@media (max-width: 40rem) {
  header nav ul { order: 1; flex-basis: 100%; gap: 0 .9rem; padding-bottom: .25rem; }
  header nav ul a { padding: .35rem 0; font-size: .95rem; }
  header nav form, header nav > a:last-child { margin-left: auto; }
}
.button.danger { background: transparent; border-color: var(--danger); color: var(--danger); }
.chart-text { fill: var(--quiet); font-size: .75rem; }
@media (max-width: 40rem) { header nav ul { flex-basis: 100%; } }
@media (prefers-reduced-motion: no-preference) { :focus-visible { transition: outline-offset .1s; } }
`

/** Its address changes with its text, so that browsers may keep it for good. */
export const STYLESHEET_PATH = '/assets/style.css'
export const STYLESHEET_URL = `${STYLESHEET_PATH}?v=${hash('sha256', STYLESHEET).slice(0, 12)}`
