/**
 * Phrases that sites write around an article, in the languages that most pages use.
 * They match whole lines or the start of a line only, because an author may use the same words inside a sentence.
 */

const oneOf = (list: string): string =>
  list
    .trim()
    .split(/\s*[\n|]\s*/)
    .filter(Boolean)
    .join('|')

/** The whole line is a label of the site. */
export const LABEL_LINE = new RegExp(
  `^[\\s>»›•·|*:-]*(?:${oneOf(`
  advert|advertisement|advertising|ad|ads|sponsored|sponsored content|paid content|story continues below(?: advertisement)?|article continues below(?: advertisement)?|continue reading below|scroll to continue|anzeige|werbung|publicité|publicidade|publicidad|pubblicità|advertentie|reklama|реклама|广告|広告
  share|share this|share this (?:article|post|story|page)|share (?:this )?on (?:facebook|twitter|x|linkedin|whatsapp|pinterest)|tweet|pin it|email|e-mail|print|print this|copy link|save|facebook|twitter|linkedin|whatsapp|pinterest|teilen|drucken|merken|artikel teilen|partager|imprimer|compartir|compartilhar|condividi|delen|поделиться
  tags?|topics?|filed under|categories|category|schlagworte|schlagwörter|themen|étiquettes|etiquetas|loading(?: content)?|close|menu|search|home|skip to (?:main )?content|back to top|top|next|previous|newer|older|advertise with us
  (?:image|photo|slide|picture|bild|foto)s? \\d+ (?:of|von|de|di|/)\\s?/?\\s?|caption|image|photo|video|play|pause|gallery|enlarge|view gallery|show more|load more|view all|see all|highlights|play video|mehr anzeigen|weitere bilder|bild vergrößern|zum video|zur startseite|nach oben|zurück|weiter
  sign in|log in|login|register|subscribe|subscribe now|sign up|join|follow|follow us|anmelden|abonnieren|jetzt abonnieren|s’abonner|suscríbete|assine|iscriviti
  comments?|leave a comment|leave a reply|add a comment|post comment|post a comment|view comments|show comments|join the conversation|reply|kommentare?|kommentar schreiben|commentaires?|comentarios?|comentários?|commenti|reacties|комментарии
  read more|read more here|continue reading|read next|read also|learn more|more|mehr|weiterlesen|mehr lesen|lire la suite|leer más|leia mais|saiba mais|continua a leggere|lees meer|читать далее
  by|von|par|por|di|author|autor|auteur|source|quelle|via
  teilen mit|gefällt mir|wird geladen|lade|vergrößern|bild (?:anzeigen|schließen|vergrößern)|nach oben|permalink|permalien|permanentlink|imprimer cette page|valora esta noticia|like this|share this with|email a friend|udostępnij|drukuj|dela|gilla|paylaş
`)})[\\s.:…›»>!|*-]*(?:\\(?\\d*\\+?\\)?)$`,
  'iu',
)

/** The heading of a list or a box that is not part of the article. It is removed with the boilerplate after it. */
export const BOX_HEADING = new RegExp(
  `^[\\s>»•*#-]*(?:${oneOf(`
  related(?: (?:articles?|posts?|stories|news|content|topics?|links?|coverage|reading|video))?|similar (?:posts|articles)|you (?:may|might) (?:also )?(?:like|be interested in|enjoy)|recommended(?: (?:for you|reading|articles|stories))?|more (?:from|on|in|great|top)\\b[^.!?]{0,50}|more (?:stories|articles|posts|news|coverage|reading)|read (?:more|next|also)|also (?:on|read|in)\\b[^.!?]{0,40}|see also|further reading|up next|don['’]t miss|in case you missed it|keep reading
  most (?:read|popular|viewed|recent|shared)|popular(?: (?:posts|now|stories|articles))?|trending(?: (?:now|stories|topics))?|latest(?: (?:news|posts|stories|articles|from))?|recent (?:posts|comments|articles)|top stories|editor['’]?s['’]? (?:picks?|choice)|what['’]s (?:hot|next|trending)|around the web|from (?:the web|our partners)|promoted stories|story timeline
  ähnliche (?:artikel|beiträge)|verwandte (?:artikel|beiträge|themen)|mehr (?:zum thema|aus|von)\\b[^.!?]{0,40}|lesen sie (?:auch|mehr|dazu)|lies auch|das könnte (?:sie|dich|ihnen|dir) (?:auch )?(?:interessieren|gefallen)|auch interessant|weitere (?:artikel|beiträge|themen|meldungen|nachrichten)|meistgelesen|meist gelesen|beliebte (?:artikel|beiträge)|neueste (?:artikel|beiträge)|zum thema|passend dazu|links zum (?:thema|artikel)
  articles? (?:liés|similaires|connexes)|à lire (?:aussi|également)|sur le même (?:sujet|thème)|vous aimerez aussi|artículos relacionados|noticias relacionadas|relacionados|te puede interesar|lee también|leia (?:também|mais)|veja também|artigos relacionados|notícias relacionadas|posts relacionados|potrebbe interessarti|leggi anche|articoli correlati|lees ook|gerelateerde? (?:artikelen|berichten)|читайте также|похожие (?:статьи|записи)|по теме|相关(?:文章|阅读|新闻)|関連記事
  mehr themen|mehr (?:zu|zur|über)\\b[^.!?]{0,40}|noch mehr (?:infos?|artikel|themen|zu)\\b[^.!?]{0,40}|auch lesen|schon gelesen\\??|zum weiterlesen|lesetipps?|weiterführende (?:links|informationen|artikel)|weitere (?:informationen|infos|links)|empfohlener (?:redaktioneller|externer) inhalt|externer inhalt|empfohlene (?:artikel|beiträge)|(?:schon|bereits) gewusst\\??|ähnliche themen|themen im artikel|empfehlung(?:en)? (?:der redaktion|aus)\\b[^.!?]{0,40}|das thema könnte (?:sie|dich) (?:auch )?interessieren|lust auf mehr\\??|highlights aus dem heft|entdecken? (?:sie )?(?:weitere|jetzt|mehr)\\b[^.!?]{0,40}|dowiedz się więcej|wussten sie schon\\W*
  (?:también )?(?:le|te|les) puede interesar|(?:vea|ve|mira|lea|lee) (?:también|además|más)|más (?:noticias|sobre)\\b[^.!?]{0,40}|lo más (?:leído|visto)|últimas noticias|à voir (?:aussi|également)|lire (?:aussi|également)|(?:audios? et )?vidéos? sur le sujet|plus d['’]articles|notre sélection|mais (?:lidas|notícias|sobre)\\b[^.!?]{0,40}|vedi anche|ti potrebbe interessare|zie ook|meer (?:over|nieuws)\\b[^.!?]{0,40}|läs (?:mer|också)|les også|læs også
  (?:zobacz|czytaj|przeczytaj) (?:też|także|również|więcej)|polecane|polecamy|podobne (?:artykuły|wpisy)|powiązane (?:artykuły|tematy)|najnowsze|čtěte také|související články|kapcsolódó cikkek|ilgili haberler|lue myös
`)})\\s*[:：.…»›-]*$`,
  'iu',
)

/** Everything after this heading is written by readers or about the author. It is not part of the article. */
export const CLOSING_HEADING = new RegExp(
  `^[\\s>»•*#-]*(?:${oneOf(`
  (?:\\d+ )?comments?(?: (?:on|to) .{1,120})?|\\d+ (?:responses?|replies|thoughts)(?: (?:on|to) .{1,120})?|leave a (?:comment|reply)|add (?:a|your) comment|post a comment|join the (?:conversation|discussion)|about the authors?|about author
  (?:\\d+ )?kommentare?|(?:einen )?kommentar (?:schreiben|hinterlassen|verfassen|abgeben)|schreibe? (?:einen|den ersten) kommentar|über den autor|über die autorin
  (?:\\d+ )?commentaires?|laisser un commentaire|à propos de l['’]auteur|(?:\\d+ )?comentarios?|deja (?:un|tu) comentario|(?:\\d+ )?comentários?|deixe (?:um|seu) comentário|(?:\\d+ )?commenti|lascia un commento|(?:\\d+ )?reacties|geef een reactie|комментарии|оставить комментарий
  leave a (?:comment|reply)(?: or (?:comment|reply))?(?: cancel reply)?|kommentare (?:schreiben|insgesamt)|(?:keine|noch keine) kommentare(?: .{1,120})?|no comments(?: .{1,120})?|antworten abbrechen|(?:\\d+ )?komentarz(?:e|y)|dodaj komentarz|(?:\\d+ )?kommentarer|(?:\\d+ )?yorum(?:lar)?
`)})\\s*(?:\\(\\d+\\))?\\s*[:：.…]*$`,
  'iu',
)

/** A pointer to another page, recognised by the start of the line. */
export const POINTER = new RegExp(
  `^[\\s>»›•*([{✉👉📱🔗→▶►-]*(?:${oneOf(`
  (?:related|see also|read more|read also|also read|read next|read|more|watch|listen|see more|must read|don['’]t miss|recommended|further reading|also see|in pictures|related (?:posts?|articles?|stories|coverage|links?|video))(?:\\s*[:：|»>]|\\s+[–—-]\\s)
  (?:lesen sie auch|mehr zum thema|mehr dazu|siehe auch|auch interessant|lies auch|lesetipp|zum thema|video|à lire aussi|lire aussi|à lire|voir aussi|lea también|lee también|leia também|leia mais|veja também|leggi anche|lees ook|читайте также|по теме)(?:\\s*[:：|»>]|\\s+[–—-]\\s)
  lesen sie (?:auch|dazu|hier)\\b[^.!?]{0,60}[:：]$|weitere (?:infos?|informationen|details|hinweise) (?:unter|hierzu|dazu|finde[nt]|gibt|erhalten|auf|zum|zur|zu)(?!\\p{L})|(?:more|further) information (?:is|can be|at|on|about)(?!\\p{L})[^.!?]{0,60}(?:found|available|website|www|http)|plus d['’]informations? (?:sur|ici)(?!\\p{L})|más información (?:en|aquí)(?!\\p{L})
  (?:dowiedz się więcej|kategorien?|auch lesen|lesen sie (?:hier|dazu|mehr)|lesetipps?|mehr lesen|zum weiterlesen|weiterlesen|weiterführend|mehr (?:infos?|informationen)|(?:también )?(?:le|te|les) puede interesar|puede(?:s)? (?:ver|leer)|(?:vea|ve|mira|lea|lee|leer) (?:también|además|más)|te recomendamos|también lee|lire également|à voir(?: aussi)?|voir également|sur le même sujet|leia ainda|veja mais|confira também|vedi anche|zie ook|lees meer|(?:zobacz|czytaj|przeczytaj) (?:też|także|również|więcej)|läs (?:mer|också)|les også|læs også|čtěte také|lue myös)(?:\\s*[:：|»>]|\\s+[–—-]\\s)
`)})`,
  'iu',
)

export const APPEAL = new RegExp(
  `^[\\s>»›•*([{✉👉📱-]*(?:${oneOf(`
  sign up (?:for|to|now|here|today|and|:)|sign up:|subscribe (?:to|now|here|today|for)|get (?:the|our|all the|more|breaking) .{0,60}(?:newsletter|inbox|email|alerts?|delivered)|follow (?:us|me|him|her|them|the author|@|\\S+ (?:on|@))|follow .{1,60} on (?:twitter|facebook|instagram|x|linkedin|youtube|google news)|like us on|join our|download (?:the|our) .{0,30}app|want (?:more (?:stories|news|like this|from)|to (?:read|get|receive) (?:more|our|the latest))|(?:enjoy(?:ed)?|did you (?:like|enjoy)|if you (?:liked|enjoyed)) (?:this|reading)|support (?:us|our (?:work|journalism))|become a (?:member|subscriber|patron)|already a (?:member|subscriber)|create (?:a|your) (?:free )?account|this (?:article|story|post) (?:was|is|has been|first|originally)\\b.{0,60}(?:published|appeared|republished|premium|subscribers)|the post .{1,150} appeared first on|by (?:continuing|clicking|signing up|subscribing|submitting)[^.]{0,80} you(?!\\p{L})|(?:have|got) a tip|send (?:us )?(?:your )?tips|your email address
  melden sie sich (?:jetzt|hier|für|zum|an|kostenlos)|jetzt (?:anmelden|abonnieren|testen|registrieren|kostenlos)|abonnieren sie|newsletter (?:abonnieren|bestellen)|folgen sie (?:uns|mir|\\S+ (?:auf|bei))|folge uns|folgt uns|hier klicken|mit (?:der nutzung (?:dieser|unserer)|ihrer anmeldung)|ihre e-mail|deine e-mail|abonnez-vous|inscrivez-vous|suivez-nous|suscríbe(?:te|ase)|síguenos|inscreva-se|assine (?:a|nossa|o)|siga-nos|iscriviti|seguici|подпис(?:ывайтесь|аться)
  for (?:the latest|more) (?:stories|news)\\b.{0,80}(?:download|app|subscribe|follow)|get the latest\\b.{0,60}(?:phone|app|inbox)|to (?:view|read|continue reading) the (?:full|whole|rest)\\b.{0,60}(?:subscribe|log in|sign)|if you['’]re (?:seeing|already)\\b.{0,60}(?:subscriber|member|log in)|do you want to be informed|never miss (?:the latest|a (?:story|post|thing)|our)|submit your (?:letter|story|photo)|this (?:post|article|page|story) (?:may )?contains? (?:references to|affiliate|sponsored|advertis|links to)|(?:as an amazon associate|we may (?:receive|earn) (?:a|an) (?:small )?(?:affiliate )?commission)|you can (?:keep up with|follow|reach|contact) (?:me|us)(?!\\p{L})
  abonniere? (?:unseren|unser|jetzt|uns|hier)|(?:\\*?werbung\\W+)?dieser (?:beitrag|artikel|text) enthält (?:\\S+ )?(?:werbung|affiliate|produktplatzierung)|unser (?:kostenloser )?newsletter|bei den (?:verlinkungen|links) handelt es sich|sie müssen sich anmelden|verrat(?:en sie|et|e) (?:es )?(?:uns|mir|gerne) .{0,40}kommentar|lass dir die besten|alle angaben ohne gewähr|gefällt (?:dir|euch|ihnen) (?:unser|dieser|der|das)|möchten sie (?:den|diesen) (?:artikel|beitrag) teilen|dieser (?:beitrag|text|artikel) (?:erschien|erscheint|ist|wurde)\\b.{0,80}(?:erschienen|veröffentlicht|zuerst|ausgabe)|der beitrag (?:wurde am|.{1,150} erschien zuerst)|(?:du musst|sie müssen) (?:eingeloggt|angemeldet)|wir respektieren (?:deine|ihre) privatsphäre|an dieser stelle find(?:est|en)\\b.{0,60}(?:inhalt|externe)|erstellt am .{1,80} abgelegt unter
  hazte (?:miembro|soci[oa]|suscriptor)|únete (?:a|desde)|cancela cuando quieras|sigue(?:nos)? (?:a|en)\\b.{0,40}(?:facebook|twitter|instagram|whatsapp|telegram|google|youtube)|¿ya sab[íe]as? que .{0,60}(?:canal|telegram|whatsapp)|¡?mira lo que tiene nuestro canal|puedes? (?:escribirnos|seguirnos)|nos siga|pour lire la suite|rejoignez-nous|retrouvez(?:-nous)? .{0,40}(?:facebook|twitter|instagram)|zapraszamy (?:też )?do (?:subskrypcji|prenumeraty)|zapisz się
`)})`,
  'iu',
)

export const COPYRIGHT =
  /^\W*(?:©|ⓒ|\(c\)\s|copyright\b(?!(?:\s+\p{L}[\p{L}'’,-]*){5,}[^©\d]*[.!?]$)|all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|todos os direitos|tutti i diritti|все права)|\ball rights reserved\b|alle rechte vorbehalten|무단\s?전재|this (?:material|document|article) (?:may not be|is subject to copyright)/iu

const AGENCIES =
  'getty(?: images)?|reuters|afp|dpa|epa|shutterstock|istock(?:photo)?|ap photo|ap|picture alliance|imago|unsplash|pixabay|alamy|rex features|bloomberg'
export const CREDIT = new RegExp(
  `^\\W*(?:photos?|images?|pictures?|pics?|photograph(?:s|y|er)?|credits?|fotos?|bild(?:er|quelle|nachweis|rechte)?|symbolbild|titelbild|foto(?:grafie|s)?|crédits?|imagen|imagem|immagine|фото|file photo|featured image|video|illustration|grafik|graphic|screenshot|source)\\s*(?:credits?|by|courtesy(?: of)?|via|from)?\\s*[:：©]|^(?:photo(?:graph)?|image|picture|foto|bild)s? (?:by|courtesy|via|von|de)\\b|\\((?:photo|image|picture|credit|foto|bild)s?\\b[^()]{0,120}\\)$|(?:/|via |© ?|\\| |: ?)(?:${AGENCIES})\\.?\\)?$|^file (?:photo|image)\\b`,
  'iu',
)
export const BYLINE =
  /^(?:(?:story|words|text|reported|written|posted|published|reviewed) )?(?:by|von|par|por|di|door|автор:?)\s+\p{Lu}[\p{L}.'’-]+(?:[\s,&|]+(?:and|und|et|y|e|in|of|for|the|von|van|de|la|der|\p{Lu}[\p{L}.'’-]*|on|\d.*)){0,10}$/u
export const CREW =
  /contributed to this (?:report|article|story)\.?$|^(?:additional )?(?:reporting|writing|editing|compiled|edited)(?: and (?:writing|editing))? by \p{Lu}/iu

/** The start of a cookie notice. */
export const COOKIE_NOTICE =
  /^(?:this|our) (?:web\s?)?site uses cookies|^we (?:and our (?:\d+ )?partners )?(?:use|store) cookies|^(?:diese|unsere) (?:web)?(?:site|seite) (?:verwendet|nutzt|benutzt) cookies|^wir (?:verwenden|nutzen|setzen) cookies|^(?:ce|notre) site utilise des cookies|^nous utilisons des cookies|^(?:este|nuestro) sitio (?:web )?(?:utiliza|usa) cookies|^(?:utilizamos|usamos) cookies|^(?:este|nosso) site (?:utiliza|usa) cookies|^questo sito (?:web )?(?:utilizza|usa) i? ?cookie|^deze (?:web)?site (?:gebruikt|maakt gebruik van) cookies/iu

/** Words that a cookie notice contains. */
export const COOKIE_WORDS =
  /\b(?:(?:web\s?)?sites?|experience|browser|privacy|consent|accept|traffic|personali[sz]|analy[stz]|services?|advert|ads|content|improve|polic(?:y|ies)|agree|settings|learn more|preferences|technolog)/i

export const IS_URL = /^(?:https?:\/\/|www\.)\S+$/i

/** A link that names a file type, such as "Report (PDF, 2 MB)". The author attached it. */
export const FILE_LINK = /\S \((?:pdf|docx?|odt|xlsx?|csv|zip|epub|pptx?)\b[^)]{0,20}\)$/i

/** The whole line consists of share buttons. */
export const SHARE_LINE =
  /^(?:(?:share|tweet|pin|send|post|teilen|partager|compartir|condividi)(?: (?:this|it))?(?: (?:on|via|to|by|with|auf|sur|en|em|su) (?:facebook|twitter|x|linkedin|whatsapp|pinterest|reddit|telegram|e-?mail|mastodon|bluesky|tumblr|pocket|threads|xing|flipboard|messenger))?[\s|·,/]*){2,12}$/i
