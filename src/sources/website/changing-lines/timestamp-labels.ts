/** Labels in front of timestamps ("Updated", "Published"), in many languages, as a part of a regular expression. */
import { alternatives } from '../patterns.ts'

export const TIMESTAMP_LABELS = alternatives(`
  first published|last updated|last update|last modified|last edited|last changed|last reviewed|published|publication date|publish date|updated|posted|modified|created|edited|date|time|as of|today is|local time|server time
  veröffentlicht|aktualisiert|zuletzt aktualisiert|zuletzt geändert|letzte aktualisierung|letzte änderung|erstellt|stand|datum|erschienen
  publié|publiée|mis à jour|mise à jour|dernière mise à jour|dernière modification|publicado|publicada|actualizado|actualizada|última actualización|última modificación
  atualizado|atualizada|última atualização|pubblicato|aggiornato|ultimo aggiornamento|ultima modifica|gepubliceerd|bijgewerkt|laatst bijgewerkt|laatst gewijzigd|laatste update
  uppdaterad|uppdaterat|senast uppdaterad|publicerad|publicerat|opdateret|senest opdateret|sidst opdateret|publiceret|oppdatert|sist oppdatert|publisert|päivitetty|viimeksi päivitetty|julkaistu
  opublikowano|data publikacji|zaktualizowano|aktualizacja|ostatnia aktualizacja|aktualizováno|poslední aktualizace|publikováno|zveřejněno|aktualizované|publikované|ažurirano|objavljeno
  frissítve|utolsó frissítés|közzétéve|actualizat|ultima actualizare|publicat|ενημερώθηκε|τελευταία ενημέρωση|δημοσιεύθηκε|δημοσιεύτηκε|son güncelleme|güncelleme|güncellendi|yayınlanma|yayın tarihi
  опубликовано|обновлено|последнее обновление|дата публикации|оновлено|останнє оновлення|опубліковано|обновена|публикувано
  آخر تحديث|تم التحديث|تاريخ النشر|به‌روزرسانی|آخرین به‌روزرسانی|تاریخ انتشار|עודכן|עדכון אחרון|פורסם|अपडेटेड|अंतिम अपडेट|प्रकाशित
  อัปเดตล่าสุด|อัพเดทล่าสุด|เผยแพร่|cập nhật|cập nhật lần cuối|ngày đăng|diperbarui|terakhir diperbarui|diterbitkan
  更新|发布时间|發布時間|發佈時間|更新时间|更新時間|更新日期|最后更新|最後更新|公開日|更新日|最終更新|更新日時|投稿日|업데이트|입력|수정|최종수정|최종 수정|등록
`)
