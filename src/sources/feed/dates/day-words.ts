/**
 * Words in dates that are not months: weekdays, and small words such as "at" or "of". All are written as `plainWords`
 * returns them. None of them is read as a month.
 */

const SMALL_WORDS = `
    a d e m o r t u v at on the of il it les ag de del den um uhr uur as le las la los kl klo kell kello om alle ore ora godz ob feira st nd rd th er re
    ko ng ika ta gada gads pukul jam hrs hs hora horas heures published posted updated date created modified pubdate
    publie publicado στισ ωρα год года году року рік ел соати saat ساعت الساعة оны гараг พศ คศ เวลา во يوم في בשעה को बजे रोजी वाजता அன்று కి ന് ರಂದು ಸಮಯಕ್ಕೆ كو په nang pada ne je luc
  `

const WEEKDAYS = `
    lundi mardi mercredi jeudi vendredi samedi dimanche montag dienstag mittwoch donnerstag freitag samstag
    sonntag lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato
    domenica segunda terca quarta quinta sexta dilluns dimarts dimecres dijous divendres dissabte diumenge
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag mandag tisdag onsdag torsdag fredag lordag sondag
    tirsdag lørdag søndag maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai poniedzialek wtorek
    sroda czwartek piatek sobota niedziela pondeli utery streda ctvrtek patek nedele pondelok utorok stvrtok
    piatok nedela hetfo kedd szerda csutortok pentek szombat vasarnap luni miercuri joi vineri sambata duminica
    pazartesi sali carsamba persembe cuma cumartesi pazar δευτερα τριτη τεταρτη πεμπτη παρασκευη σαββατο κυριακη
    понедельник вторник среда четверг пятница суббота воскресенье понеділок вівторок середа четвер пʼятниця
    субота неділя понеделник сряда четвъртък петък събота неделя понедељак уторак четвртак петак недеља الاثنين
    الثلاثاء الاربعاء الخميس الجمعة السبت الاحد יום שני שלישי רביעי חמישי שישי שבת ראשון senin selasa rabu kamis
    jumat sabtu minggu ponedeljek torek sreda cetrtek petek nedelja esmaspaev teisipaev kolmapaev neljapaev
    reede laupaev puhapaev pirmdiena otrdiena tresdiena ceturtdiena piektdiena sestdiena svetdiena pirmadienis
    antradienis treciadienis ketvirtadienis penktadienis sestadienis sekmadienis ponedjeljak utorak srijeda
    cetvrtak petak subota nedjelja hene marte merkure enjte premte shtune diel manudagur þriðjudagur
    miðvikudagur fimmtudagur fostudagur laugardagur sunnudagur luain mairt ceadaoin deardaoin haoine sathairn
    domhnaigh dydd llun mercher iau gwener sadwrn sul astelehena asteartea asteazkena osteguna ostirala
    larunbata igandea luns mercores xoves venres isnin khamis jumaat ahad miyerkules huwebes biyernes linggo
    jumatatu jumanne jumatano alhamisi ijumaa jumamosi jumapili vrydag saterdag bazar ertəsi cərsənbə axsami
    cumə sənbə dushanba seshanba chorshanba payshanba juma shanba yakshanba панядзелак ауторак серада чацвер
    пятніца нядзеля четврток петок сабота недела дүисенбі сеисенбі сәрсенбі беисенбі жұма сенбі жексенбі
    дүишөмбү шеишемби шаршемби беишемби жума ишемби жекшемби երկուշաբթի երեքշաբթի չորեքշաբթի հինգշաբթի ուրբաթ
    շաբաթ կիրակի دوشنبه سهشنبه چهارشنبه پنجشنبه جمعه شنبه يكشنبه پير منگل بدھ جمعرات هفته اتوار सोमवार मंगलवार
    बुधवार गुरुवार शुक्रवार शनिवार रविवार मंगळवार সোমবার মঙ্গলবার বুধবার বৃহস্পতিবার শুক্রবার শনিবার রবিবার
    સોમવાર મંગળવાર બુધવાર ગુરુવાર શુક્રવાર શનિવાર રવિવાર திங்கள் செவ்வாய் புதன் வியாழன் வெள்ளி சனி ஞாயிறு
    సోమవారం మంగళవారం బుధవారం గురువారం శుక్రవారం శనివారం ఆదివారం തിങ്കളാഴ്ച ചൊവ്വാഴ്ച ബുധനാഴ്ച വ്യാഴാഴ്ച
    വെള്ളിയാഴ്ച ശനിയാഴ്ച ഞായറാഴ്ച सोमबार मङ्गलबार बुधबार बिहिबार शुक्रबार शनिबार आइतबार
  `

const words = (table: string) => table.trim().split(/\s+/)
const FILLERS = new Set([...words(SMALL_WORDS), ...words(WEEKDAYS)])
/** Months in one language and weekdays in another: "mar" is short for March and for martes. */
const MONTH_OR_WEEKDAY = new Set('lun mar marti maw mawrth sze paz sen sub sht dis'.split(' '))
const ENGLISH_WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)/

/** Single letters of other scripts are fillers too: г and р stand for "year", о and в for "at". */
export function isFiller(word: string): boolean {
  return (word.length === 1 && word > 'z') || FILLERS.has(word)
}

/** Only English weekdays: they help to find the day in dates such as 03/04/2026. */
export function isWeekday(word: string): boolean {
  return ENGLISH_WEEKDAY.test(word)
}

export function mayBeWeekday(word: string): boolean {
  return MONTH_OR_WEEKDAY.has(word)
}
