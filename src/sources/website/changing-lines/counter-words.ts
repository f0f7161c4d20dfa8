/** Words for what sites count (views, comments), in many languages, as parts of regular expressions. */
import { alternatives } from '../patterns.ts'

/** Words for what authors count too, such as votes and points. */
export const COUNTED_BY_AUTHORS = alternatives(`
  votes?|points?|downloads?|stars?|members?|posts?|answers?|messages?|threads?|topics?|stimmen|punkte|voix|votos|puntos|pontos|voti|punti
`)

export const COUNTED_BY_SITES = alternatives(`
  ${COUNTED_BY_AUTHORS}
  views?|page ?views?|hits|visits?|visitors?|reads?|shares?|comments?|likes?|reactions?|replies|reply|responses?|retweets?|reposts?|followers?|subscribers?|claps?
  reviews?|ratings?|upvotes?|downvotes?|forks?|watchers?|applicants?|bookmarks?|reaction score|reputation|karma
  min(?:ute)?s? read|aufrufe|zugriffe|klicks|kommentare?|leser|mal gelesen|bewertungen|antworten|min(?:uten)? lesezeit|commentaires?|partages?|vues?|lectures?
  comentarios?|comentários?|vistas|visitas|visualizaciones|visualizações|leituras|letture|commenti|condivisioni|visualizzazioni|reacties|weergaven
  visningar|visninger|kommentarer|delningar|delinger|katselua|katselukertaa|lukukertaa|kommenttia?|jakoa
  wyświetle(?:ń|nia|nie)|odsłon[ay]?|komentarz(?:y|e)?|udostępnie(?:ń|nia)|zobrazení|přečtení|komentář(?:ů|e)?|megtekintés|hozzászólás|megosztás
  vizualizări|afișări|comentari(?:i|u)|προβολές|αναγνώσεις|σχόλι(?:α|ο)|görüntülenme|görüntüleme|okunma|yorum|beğeni
  просмотр(?:ов|а|ы)?|комментари(?:ев|й|я|и)|перегляд(?:ів|и|у)?|коментар(?:ів|і|а)?
  مشاهد(?:ة|ات)|تعليق(?:ات)?|قراءة|مشاركة|بازدید|نظر|دیدگاه|צפיות|תגובות|שיתופים|टिप्पणिया[ँं]|ครั้ง|ความคิดเห็น|lượt xem|bình luận|lượt thích|kali dilihat|komentar
  (?:阅读|閱讀|浏览|瀏覽|点击|點擊|评论|評論|点赞|閲覧|访问)(?:次数|次數|数|數|量)?|コメント|回視聴|回再生|조회(?:수)?|댓글
`)
