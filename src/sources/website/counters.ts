/**
 * Counters: views, shares, comments, votes, readers online, as whole lines in the languages that most pages use.
 * Some words count what an author counts as well; whether such a line, or a bare number, is a counter depends on its place.
 */

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'iu')

const TALLIED = 'votes?|points?|downloads?|stimmen|punkte|voix|votos|puntos|pontos|voti|punti'
const COUNTED = [
  TALLIED,
  'views?|page ?views?|hits|visits?|visitors?|reads?|shares?|comments?|likes?|reactions?|replies|reply|responses?|retweets?|followers?|subscribers?|claps?',
  'min(?:ute)?s? read|aufrufe|zugriffe|klicks|kommentare?|leser|mal gelesen|min(?:uten)? lesezeit|commentaires?|partages?|vues?|lectures?',
  'comentarios?|comentários?|vistas|visitas|visualizações|leituras|letture|commenti|condivisioni|visualizzazioni|reacties|weergaven',
  'просмотр(?:ов|а|ы)?|комментари(?:ев|й|я|и)',
  '(?:阅读|閱讀|浏览|瀏覽|点击|點擊|评论|評論|点赞|閲覧|访问)(?:次数|次數|数|數|量)?|コメント|조회(?:수)?|댓글',
].join('|')
const NUMBER = '\\d[\\d.,\\s]*[km万萬]?'
const SIGN = '[👁👀❤♥♡👍👎💬🗨📊🔥⭐★☆🔁]\\ufe0f?'
const COUNTERS = [
  `[+#]?${NUMBER}`,
  `${SIGN}\\s?${NUMBER}|${NUMBER}\\s?${SIGN}`,
  `${NUMBER}\\s?\\+?\\s?(?:${COUNTED})\\.?`,
  'no comments(?: yet)?\\.?',
  `(?:total )?(?:${COUNTED})\\s?[:：(（]?\\s?${NUMBER}\\s?[)）次]?`,
  `(?:viewed|read|seen|shared|gelesen|leído|lu|visto|letto)\\s?:?\\s?${NUMBER}\\s?(?:times|mal|fois|veces|vezes|volte)?`,
  `this (?:page|article|post|story) (?:has been |was )?(?:viewed|read|visited|accessed) ${NUMBER} times\\.?`,
  `${NUMBER}\\s(?:people|readers|users|others) (?:have )?(?:read|viewed|liked?|shared?|recommend(?:ed)?|found)(?!\\p{L}).{0,20}`,
  'you have (?:read )?\\d+ .{0,40}(?:articles?|stories)(?!\\p{L}).{0,40}',
  `(?:live\\s)?${NUMBER}\\s(?:(?:people|readers|users|visitors|guests)\\s)?(?:are\\s)?(?:reading|viewing|watching|listening|online|here)(?!\\p{L}).{0,20}`,
  `(?:you are )?(?:our |the )?visitor(?: (?:number|no\\.?))?\\s?[#:]?\\s?${NUMBER}`,
  `(?:average )?(?:rating|rated|bewertung|user rating)\\s?:?\\s?${NUMBER}(?:\\s?(?:/|of|out of|von)\\s?\\d+)?(?: stars?)?\\s?\\(.{0,15}${NUMBER}.{0,15}\\)`,
  `(?:this )?page (?:was )?(?:generated|rendered|loaded|created|served) in ${NUMBER}\\s?(?:m?s|secs?|(?:milli)?seconds?)(?!\\p{L}).{0,30}`,
  '.{0,30}(?:ends|starts|begins|closes|expires|endet) in:? \\d{1,3}(?::\\d{2}){1,2}',
  '(?:estimated )?(?:read(?:ing)? time|lesezeit|lesedauer|tempo de leitura|temps de lecture|tiempo de lectura|tempo di lettura)(?!\\p{L}).{0,25}',
].map(whole)
const LABEL = whole(`(?:total )?(?:${COUNTED})\\s?[:：]?`)
const FIGURES = [`[+#]?${NUMBER}`, `${NUMBER}\\s?(?:${TALLIED})`].map(whole)
const COUNT = new RegExp(`${NUMBER}\\s?(?:${COUNTED})(?!\\p{L})`, 'giu')

export const isCounter = (line: string): boolean => COUNTERS.some((pattern) => pattern.test(line))

/** "Views", "Comments:", and nothing else. */
export const isCounterLabel = (line: string): boolean => LABEL.test(line)

/** A number or a result, which may be what the text is about. */
export const isTally = (line: string): boolean => FIGURES.some((pattern) => pattern.test(line))

export const withoutCounts = (line: string): string => line.replace(COUNT, ' ')
