/** Words that occur in dates, in the languages that most pages use, as parts of regular expressions. */
import { alternatives } from '../patterns.ts'

export const MONTHS = alternatives(`
  jan(?:uary|uar|vier|eiro|uari)?|jän(?:ner)?|enero|gen(?:naio)?|januára|января
  feb(?:ruary|ruar|braio|rero|ruari)?|févr?(?:ier)?|fevereiro|февраля
  mar(?:ch|s|zo|ço|t)?|mär(?:z)?|maart|марта
  apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|апреля
  may|mai|maio|mayo|maggio|mei|мая
  june?|juni|juin|junho|junio|giugno|июня
  july?|juli|juillet|julho|julio|luglio|июля
  aug(?:ust|ustus)?|août|agosto|ago|августа
  sept?(?:ember|embre|iembre)?|setembro|settembre|сентября
  oct(?:ober|obre|ubre)?|okt(?:ober)?|outubro|ottobre|октября
  nov(?:ember|embre|iembre|embro)?|ноября
  dec(?:ember|embre)?|dez(?:ember|embro)?|déc(?:embre)?|dic(?:iembre|embre)?|декабря
`)

export const WEEKDAYS = alternatives(`
  (?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?
  (?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so
  lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mi[ée]rcoles|jeu(?:di)?|jueves|gio(?:vedì)?|ven(?:dredi|erdì)?|viernes
  sam(?:edi)?|s[áa]b(?:ado|ato)?|dim(?:anche)?|domingo|domenica|segunda|terça|quarta|quinta|sexta|feira
`)

export const ZONES = 'a\\.?m\\.?|p\\.?m\\.?|uhr|h|hrs|[ecmpbw]?[eds]?t|[ecmp][sd]t|utc|gmt|cest|bst|ist|msk|jst|amt'

export const BETWEEN = alternatives(`
  at|on|the|of|um|den|der|am|à|às|le|a|las|de|del|alle|ore|os?|г|в|st|nd|rd|th|年|月|日
  today|yesterday|heute|gestern|aujourd’hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|сегодня|вчера
`)
