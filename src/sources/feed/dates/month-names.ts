/**
 * Month names in the languages of most feeds: long and short, alone and beside a day, each as `plainWords` returns it.
 * If two languages use one word for different months, the more frequent language wins. The names are listed here
 * because asking the runtime for all of them takes longer than reading a large feed.
 */

export const MONTH_NAMES: readonly string[] = [
  `
    janvier janv januar jan janner enero ene gennaio gen janeiro gener januari tammikuu tammikuuta tammi
    styczen stycznia sty leden ledna led januara ianuarie ian ocak oca ιανουαριου ιαν январь января янв
    січень січня січ януари јануар јан يناير ינואר ינו׳ jaanuar jaan janvaris sausis sausio
  `,
  `
    fevrier fevr februar feb febrero febbraio fevereiro fev febrer febr februari helmikuu helmikuuta
    helmi luty lutego lut unor unora uno februara februarie subat sub φεβρουαριου φεβ февраль февраля
    февр лютии лютого лют февруари фебруар феб فبراير פברואר פבר׳ veebruar veebr februaris
    vasaris vasario
  `,
  `
    mars marz mar marzo marco marc maart mrt marts maaliskuu maaliskuuta maalis marzec marca brezen
    brezna bre marec marcius martie mart μαρτιου μαρ март марта мар березень березня бер مارس מרץ
    maret kovas kovo
  `,
  `
    avril avr april apr abril abr aprile d’abril d’abr huhtikuu huhtikuuta huhti kwiecien kwietnia kwi
    duben dubna dub aprila aprilis aprilie nisan nis απριλιου απρ апрель апреля апр квітень квітня квіт
    април ابريل אפריל אפר׳ aprill balandis balandzio
  `,
  `
    mai mayo may maggio mag maio maig mei maj toukokuu toukokuuta touko maja kveten kvetna kve majus
    mayis μαιου μαι маи мая травень травня трав мај مايو מאי maijs geguze geguzes
  `,
  `
    juin juni jun junio giugno giu junho juny kesakuu kesakuuta kesa czerwiec czerwca cze cerven cervna
    cvn juna junius iunie iun haziran haz ιουνιου ιουν июнь июня июн червень червня черв юни јун يونيو
    יוני junij juuni junijs birzelis birzelio
  `,
  `
    juillet juil juli jul julio luglio lug julho juliol heinakuu heinakuuta heina lipiec lipca lip
    cervenec cervence cvc jula julius iulie iul temmuz tem ιουλιου ιουλ июль июля июл липень липня лип
    юли јул يوليو יולי julij juuli julijs liepa liepos
  `,
  `
    aout august aug agosto ago agost d’agost d’ag augustus augusti elokuu elokuuta elo sierpien sierpnia
    sie srpen srpna srp augusta augusztus agustos agu αυγουστου αυγ август августа авг серпень серпня
    серп اغسطس אוגוסט אוג׳ agustus avgust avg augusts rugpjutis rugpjucio
  `,
  `
    septembre sept september sep septiembre settembre set setembro setembre syyskuu syyskuuta syys
    wrzesien wrzesnia wrz zari zar septembra szeptember szept septembrie eylul eyl σεπτεμβριου σεπ
    сентябрь сентября сент вересень вересня вер септември септембар сеп سبتمبر ספטמבר ספט׳
    septembris rugsejis rugsejo
  `,
  `
    octobre oct oktober okt octubre ottobre ott outubro out d’octubre d’oct lokakuu lokakuuta loka
    pazdziernik pazdziernika paz rijen rijna rij oktobra octombrie ekim eki οκτωβριου οκτ октябрь октября
    окт жовтень жовтня жовт октомври октобар اكتوبر אוקטובר אוק׳ oktoober oktobris spalis
    spalio
  `,
  `
    novembre nov november noviembre novembro marraskuu marraskuuta marras listopad listopada lis
    listopadu novembra noiembrie kasim kas νοεμβριου νοε ноябрь ноября нояб листопад листопада лист
    ноември новембар нов نوفمبر נובמבר נוב׳ novembris lapkritis lapkricio
  `,
  `
    decembre dec dezember dez diciembre dic dicembre dezembro desembre des december desember joulukuu
    joulukuuta joulu grudzien grudnia gru prosinec prosince pro decembra decembrie aralik ara δεκεμβριου
    δεκ декабрь декабря дек грудень грудня груд декември децембар дец ديسمبر דצמבר דצמ׳
    detsember dets decembris gruodis gruodzio
  `,
]
