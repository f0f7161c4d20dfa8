/**
 * Lines that change while the article stays: moments ("5 minutes ago", "Updated 10:32"), counters ("1,204 views"), bare numbers.
 * A hash over them would report a new article at every visit. Only whole lines count: a date inside a sentence is the author's.
 */

const MONTHS =
  'jan(?:uary|uar|vier|eiro|uari)?|jän(?:ner)?|feb(?:ruary|ruar|braio|rero|ruari)?|févr?(?:ier)?|fevereiro|mar(?:ch|s|zo|ço|t)?|mär(?:z)?|maart|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|may|mai|maio|mayo|maggio|mei|june?|juni|juin|junho|junio|giugno|july?|juli|juillet|julho|julio|luglio|aug(?:ust|ustus)?|août|agosto|ago|sept?(?:ember|embre|iembre)?|setembro|settembre|oct(?:ober|obre|ubre)?|okt(?:ober)?|outubro|ottobre|nov(?:ember|embre|iembre|embro)?|dec(?:ember|embre)?|dez(?:ember|embro)?|déc(?:embre)?|dic(?:iembre|embre)?|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря'
const DAYS =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|do|fr|sa|so|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mi[ée]rcoles|jeu(?:di)?|jueves|gio(?:vedì)?|ven(?:dredi|erdì)?|viernes|sam(?:edi)?|s[áa]b(?:ado|ato)?|dim(?:anche)?|domingo|domenica|segunda|terça|quarta|quinta|sexta|feira'
const ZONES = 'a\\.?m\\.?|p\\.?m\\.?|uhr|h|hrs|[ecmpbw]?[eds]?t|[ecmp][sd]t|utc|gmt|cest|bst|ist|msk|jst|amt'
const LINKING =
  'at|on|the|of|um|den|der|am|à|às|le|a las|de|del|alle|ore|os?|г|в|st|nd|rd|th|today|yesterday|heute|gestern|aujourd’hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|сегодня|вчера|年|月|日'
const LABELS =
  'first published|last updated|last modified|published|publication date|publish date|updated|posted|modified|created|date|time|as of|veröffentlicht|aktualisiert|zuletzt aktualisiert|erstellt|stand|datum|erschienen|publié|mis à jour|mise à jour|publicado|actualizado|atualizado|pubblicato|aggiornato|gepubliceerd|bijgewerkt|opublikowano|опубликовано|обновлено|更新|发布时间|更新时间|公開日|更新日'

const DATE_WORD = new RegExp(`^(?:${MONTHS}|${DAYS}|${ZONES}|${LINKING}|${LABELS.replaceAll(' ', '|')})$`, 'iu')
const MONTH_WORD = new RegExp(`^(?:${MONTHS})$`, 'iu')
const LABEL = new RegExp(`^(?:${LABELS})\\b`, 'iu')
const CLOCK = /\b\d{1,2}[:.h]\d{2}\b|\d\s?(?:am|pm|uhr)\b/i
const MONTH_AND_DAY = new RegExp(
  `(?<!\\p{L})(?:${MONTHS})\\.?\\s+\\d{1,2}\\b|\\b\\d{1,2}\\.?\\s+(?:de\\s+)?(?:${MONTHS})(?!\\p{L})`,
  'iu',
)
const NUMERIC_DATE = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s?年/

const AGO =
  /^(?:\p{L}+ ){0,2}[:·|-]?\s?(?:\d+|an?|one|few|just now|eine[rn]?)\s?\+?\s?(?:s|m|h|d|w|sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?) ago\.?$|^(?:\p{L}+ )?vor (?:\d+|einer|einem|wenigen) (?:sekunde|minute|stunde|tag|woche|monat|jahr)(?:e|n|en)?\.?$|^(?:\p{L}+ )?il y a \d+ \p{L}+$|^(?:\p{L}+ )?h(?:ace|á) \d+ \p{L}+$|^\d+ \p{L}+ fa$|^\d+ \p{L}+ (?:geleden|temu|назад)$|^\d+\s?(?:秒|分钟|分|小时|時間|天|日)前$/iu

const COUNTED =
  'views?|reads?|shares?|comments?|likes?|reactions?|replies|reply|responses?|retweets?|followers?|subscribers?|votes?|points?|claps?|downloads?|min(?:ute)?s? read|aufrufe|kommentare?|leser|mal gelesen|lesezeit|min(?:uten)? lesezeit|commentaires?|partages?|vues?|lectures?|comentarios?|comentários?|vistas|visitas|visualizações|leituras|letture|commenti|condivisioni|visualizzazioni|reacties|weergaven|просмотр(?:ов|а)?|комментари(?:ев|й|я)'
const COUNTER = new RegExp(
  `^(?:no|\\d[\\d.,\\s]*[km]?)\\s?\\+?\\s?(?:${COUNTED})\\.?$|^(?:${COUNTED})\\s?[:(]?\\s?\\d[\\d.,\\s]*[km]?\\)?$|^(?:estimated )?(?:read(?:ing)? time|lesezeit|tempo de leitura|temps de lecture|tiempo de lectura|tempo di lettura)\\b.{0,25}$`,
  'iu',
)
const BARE_NUMBER = /^[+#]?\d[\d.,\s]*[km]?$/i

/** Nothing but a date or a time, with or without a label in front. */
export function isDateLine(line: string): boolean {
  if (line.length > 90 || !/\d/.test(line)) return false
  const words = line.split(/[\s,;:|·•()[\]/–—-]+/).filter(Boolean)
  let month = false
  for (const word of words) {
    const bare = word.replace(/^[.]+|[.]+$/g, '')
    if (/^\d/.test(bare)) {
      if (!/^\d[\d.:]*(?:st|nd|rd|th|h|hrs|am|pm|º|ª|年|月|日)?\d*$/i.test(bare)) return false
    } else if (bare !== '' && !DATE_WORD.test(bare)) return false
    if (MONTH_WORD.test(bare)) month = true
  }
  return month || CLOCK.test(line) || NUMERIC_DATE.test(line)
}

/** A line that can differ between two visits to the same article. */
export function isVolatile(line: string): boolean {
  if (line.length > 90) return false
  if (AGO.test(line) || COUNTER.test(line) || BARE_NUMBER.test(line)) return true
  return isDateLine(line) && (LABEL.test(line) || CLOCK.test(line))
}

/** A date or a clock time somewhere in the line: between title and first paragraph that is the line of byline and date. */
export const bearsDate = (line: string): boolean =>
  CLOCK.test(line) || NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line)
