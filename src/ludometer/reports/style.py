"""The style sheet of the report: light and dark, wide screens and phones, no script and nothing loaded."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """
:root{color-scheme:light dark;--bg:#fbfcfd;--card:#fff;--ink:#1d2733;--muted:#5b6673;--rule:#dde3ea;--accent:#2f6fb5;
--two:#d07a1f;--three:#7d8793;--stripe:#f4f7fa;--bad:#fdf0ee;--badline:#c9503f;--note:#eef5fc}
@media (prefers-color-scheme:dark){:root{--bg:#12171d;--card:#1a2129;--ink:#e4eaf0;--muted:#9aa7b5;--rule:#323d49;
--accent:#6fa8e6;--two:#e5994a;--three:#98a4b1;--stripe:#202932;--bad:#33201e;--badline:#e58073;--note:#1c2a39}
.f-bg{fill:transparent}.f-ink{fill:#e4eaf0}.f-muted{fill:#9aa7b5}.f-one{fill:#6fa8e6}.f-two{fill:#e5994a}
.f-three{fill:#98a4b1}.s-ink{stroke:#e4eaf0}.s-muted{stroke:#9aa7b5}.s-grid{stroke:#323d49}.s-one{stroke:#6fa8e6}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,
Arial,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:1120px;margin:0 auto;padding:0 20px}
header{padding-top:28px}h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px}
h2{font-size:1.35rem;margin:44px 0 8px;padding-top:14px;border-top:2px solid var(--rule)}
h3{font-size:1.05rem;margin:26px 0 6px}p{margin:6px 0 12px;max-width:76ch}
.lead,.small,figcaption,.foot{color:var(--muted)}.small,figcaption,.foot{font-size:.875rem}
nav{display:flex;flex-wrap:wrap;gap:6px 16px;margin:16px 0 4px;font-size:.95rem}a{color:var(--accent)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:10px;margin:18px 0}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:10px 14px}
.tile b{display:block;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums}
.tile span{color:var(--muted);font-size:.875rem}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:10px;margin:8px 0 4px}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:6px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule);vertical-align:top}
th{font-weight:600;color:var(--muted)}thead th{vertical-align:bottom;white-space:normal}
tbody tr:nth-child(even)>*{background:var(--stripe)}
tbody tr:last-child>*{border-bottom:0}td.t,th.t{text-align:left}td.w{white-space:normal;min-width:16em}
tbody th{color:var(--ink);text-align:left;position:sticky;left:0;background:var(--card);max-width:18em;
white-space:normal;min-width:10.5em}
thead th.t:first-child{position:sticky;left:0;background:var(--card)}
td small,th small{display:block;color:var(--muted);font-weight:400;font-size:.8em}.zero{color:var(--muted);opacity:.65}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 18px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:0 18px}
figure{margin:12px 0}figure .scroll{padding:10px}figure svg{display:block;max-width:100%;height:auto;min-width:540px;
margin:0 auto}figure img{display:block;max-width:100%;margin:0 auto}
.figures figure svg{min-width:400px}.figures figure{margin:6px 0;min-width:0}
.note{background:var(--note);border-left:4px solid var(--accent);padding:8px 14px;margin:10px 0;
border-radius:0 8px 8px 0}
.note p{margin:4px 0}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 18px;margin:10px 0}
dt{color:var(--muted)}dd{margin:0}
details{margin:8px 0}summary{cursor:pointer;color:var(--accent)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--stripe);border-radius:6px;padding:8px 10px;
margin:6px 0;
font:.85rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;max-height:26em;overflow:auto}
.game{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 16px;margin:12px 0}
.game h3{margin:0}.steps{display:grid;grid-template-columns:repeat(auto-fill,minmax(96px,1fr));gap:12px;list-style:none;
padding:0;margin:10px 0}.steps li{min-width:0}.steps img{display:block;width:100%;max-width:120px;border-radius:6px}
.steps.wide{grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr))}.steps.wide img{max-width:460px}
.steps li.bad{grid-column:1/-1}.bad{background:var(--bad);border-left:4px solid var(--badline);
border-radius:0 8px 8px 0;
padding:8px 12px}.bad pre{background:transparent;border:1px solid var(--rule)}
footer{padding-top:30px;padding-bottom:40px}
@media (max-width:760px){body{font-size:15px}header,main,footer{padding-left:12px;padding-right:12px}
.pair{grid-template-columns:minmax(0,1fr)}h1{font-size:1.5rem}h2{font-size:1.2rem}th,td{padding:5px 8px}
tbody th{max-width:9.5em;min-width:7.5em}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:6px}}
@media print{nav,summary{display:none}.scroll,.game{break-inside:avoid}}
"""
