"""The style of the page: one sheet, light and dark, nothing from elsewhere."""

STYLE = """
.ramify-compare{--ink:#1d2327;--soft:#5b6670;--line:#d9dee3;--paper:#fff;--shade:#f5f7f9;
--blue:#0072b2;--good:#00734f;--bad:#b34700;color:var(--ink);background:var(--paper);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media (prefers-color-scheme:dark){.ramify-compare{--ink:#e6e9ec;--soft:#9aa5b0;--line:#39424b;
--paper:#15191d;--shade:#1d2329;--blue:#5db8ee;--good:#4fce9f;--bad:#ff9b5e}}
.ramify-compare main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
.ramify-compare h1{font-size:28px;line-height:1.2;margin:0 0 6px}
.ramify-compare h2{font-size:19px;margin:40px 0 8px}
.ramify-compare p{margin:6px 0;max-width:76ch}
.ramify-compare .soft,.ramify-compare figcaption{color:var(--soft);font-size:13.5px}
.ramify-compare p.soft,.ramify-compare figcaption{max-width:110ch}
.ramify-compare .sum{background:var(--shade);border-left:4px solid var(--blue);
padding:12px 18px;margin:18px 0;border-radius:0 6px 6px 0}
.ramify-compare .wide{overflow-x:auto;margin:12px 0}
.ramify-compare table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}
.ramify-compare th,.ramify-compare td{padding:5px 12px;text-align:right;white-space:nowrap;
border-bottom:1px solid var(--line)}
.ramify-compare thead th{border-bottom:2px solid var(--line);vertical-align:bottom;
font-weight:600;white-space:normal;max-width:150px;overflow-wrap:break-word}
.ramify-compare th:first-child,.ramify-compare th.left{text-align:left}
.ramify-compare tbody th{font-weight:500;position:sticky;left:0;background:var(--paper);
max-width:260px;overflow:hidden;text-overflow:ellipsis}
.ramify-compare tbody tr:hover td{background:var(--shade)}
.ramify-compare tfoot td,.ramify-compare tfoot th{border-bottom:0;font-weight:600;
background:var(--shade)}
.ramify-compare td.code{font:13px/1.4 ui-monospace,Menlo,Consolas,monospace;text-align:left;
white-space:normal;overflow-wrap:anywhere}
.ramify-compare .sd{color:var(--soft);font-size:12.5px}
.ramify-compare .top{font-weight:700}
.ramify-compare .mark{display:inline-block;width:1.1em;text-align:center;font-weight:700}
.ramify-compare .good{color:var(--good)} .ramify-compare .bad{color:var(--bad)}
.ramify-compare .bar{display:inline-block;height:10px;background:var(--blue);border-radius:2px;
vertical-align:middle;opacity:.75} .ramify-compare td.bars{width:260px;text-align:left}
.ramify-compare figure{margin:12px 0;overflow-x:auto}
.ramify-compare svg{width:100%;min-width:520px;height:auto;display:block}
.ramify-compare svg polyline{fill:none;stroke:var(--ink);stroke-width:1}
.ramify-compare svg .stem{stroke:var(--soft)} .ramify-compare svg .grid{stroke:var(--line)}
.ramify-compare svg .same{stroke:var(--bad);stroke-width:5;stroke-linecap:round}
.ramify-compare svg .cd{stroke:var(--blue);stroke-width:2}
.ramify-compare svg .front{stroke:var(--blue);stroke-dasharray:3 4}
.ramify-compare svg .best{fill:var(--blue)} .ramify-compare svg .dot{fill:var(--soft)}
.ramify-compare svg text{fill:var(--ink);font:13px system-ui,sans-serif}
.ramify-compare svg text.label{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.ramify-compare svg text.tick{fill:var(--soft);font-size:12px}
.ramify-compare details{border:1px solid var(--line);border-radius:6px;padding:8px 14px;
margin:8px 0}
.ramify-compare summary{cursor:pointer;font-weight:600}
.ramify-compare footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line)}
@media (max-width:600px){.ramify-compare main{padding:20px 14px 40px}
.ramify-compare th,.ramify-compare td{padding:5px 7px}
.ramify-compare tbody th{max-width:38vw} .ramify-compare h1{font-size:23px;overflow-wrap:anywhere}}
@media print{.ramify-compare main{max-width:none;padding:0} .ramify-compare .wide{overflow:visible}}
"""
