/** A stylesheet object needs no permission of the page's content security policy. */
export function createWidgetStyle(accent: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:host{all:initial;color-scheme:light dark;--base:${accent};
--accent:light-dark(oklch(from var(--base) min(l,.5) min(c,.16) h),oklch(from var(--base) max(l,.76) min(c,.13) h));
--on:light-dark(#fff,#12201c);--bg:light-dark(#fff,#1b1f1e);--text:light-dark(#1d2523,#e8ecea);--muted:light-dark(#4e5a56,#b4bcb9);--line:light-dark(#dfe3e1,#3a403e)}
*{box-sizing:border-box;margin:0}
button,a{font:inherit;color:inherit}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.open{position:fixed;inset:auto 20px 20px auto;z-index:2147483000;display:flex;gap:8px;align-items:center;min-height:44px;padding:0 18px;border:0;border-radius:22px;background:var(--accent);color:var(--on);font:600 14px/20px system-ui,sans-serif;box-shadow:0 4px 16px rgb(0 0 0/.25);cursor:pointer}
.panel{position:fixed;inset:auto 20px 76px auto;z-index:2147483000;display:flex;flex-direction:column;width:min(360px,calc(100vw - 40px));max-height:min(520px,calc(100vh - 110px));border:1px solid var(--line);border-radius:12px;background:var(--bg);color:var(--text);font:400 14px/20px system-ui,sans-serif;box-shadow:0 12px 40px rgb(0 0 0/.25);overflow:hidden}
[hidden]{display:none!important}
.open i{min-width:20px;padding:0 6px;border-radius:10px;background:var(--on);color:var(--accent);font:650 12px/20px system-ui,sans-serif}
header{display:flex;gap:4px;align-items:center;padding:8px;border-bottom:1px solid var(--line)}
header button:last-child{margin-inline-start:auto}
header [aria-pressed=true]{color:var(--text);font-weight:650;box-shadow:inset 0 -2px var(--accent)}
header button{min-height:32px;padding:0 10px;border:0;border-radius:6px;background:none;color:var(--muted);cursor:pointer}
ul{flex:1;overflow:auto;padding:0;list-style:none}
li a{display:flex;gap:12px;padding:12px 16px;border-bottom:1px solid var(--line);text-decoration:none}
li a:hover{background:light-dark(#f4f6f5,#242928)}
b{min-width:36px;font-weight:650;text-align:center;color:var(--accent)}
small{display:block;color:var(--muted);font-size:12px}
p{padding:16px;color:var(--muted)}
footer{padding:12px 16px;text-align:center}
footer a{color:var(--accent)}`)
  return sheet
}
