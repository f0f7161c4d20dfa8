/**
 * Month names in the languages of fewer feeds, as `plainWords` returns them: first those in Latin letters, then other
 * scripts, then rare names in the frequent languages. They count as whole words only, so that none of them makes the
 * beginning of a frequent name ambiguous.
 */

export const RARER_MONTH_NAMES: readonly string[] = [
  `
    sijecnja sijecanj sij janar eanair ean ionawr ion urtarrilak urtarrilaren urtarrila urt xaneiro xan
    januarie yanvar yan jannar januaro jannewaris
    जनवरी जन студзень студзеня сту јануари қаңтар қаң հունվար հունվարի հնվ იანვარი იან ژانويه جنوري يانۋار
    جانفي जानेवारी जाने জানুযারি জানুযারী জানু জানুৱাৰী જાન્યુઆરી જાન્યુ ਜਨਵਰੀ ਜਨ ଜାନୁଆରୀ ஜனவரி ஜன
    జనవరి జన ಜನವರಿ ಜನ ജനുവരി ജനു มกราคม มค ມັງກອນ ມກ មករា ဇန်နဝါရီ ဇန် ጃንዋሪ ጃን ජනවාරි
    ιανουαριοσ
  `,
  `
    veljace veljaca velj shkurt shk feabhra feabh chwefror chw chwef otsailak otsailaren otsaila ots
    febreiro pebrero peb fevral frar fra februaro febrewaris
    फरवरी फर люты лютага ақпан ақп փետրվար փետրվարի փտվ თებერვალი თებ فوريه فروري فېبروري فبروري فېۋرال شوبات
    فيفري شباط फेब्रुवारी फेब्रु फेब्रुअरी ফেব্রুযারি ফেব্রুযারী ফেব ফেব্ৰুৱাৰী ফেব্ৰু ફેબ્રુઆરી
    ફેબ્રુ ਫਰਵਰੀ ਫਰ ଫେବୃଆରୀ பிப்ரவரி பிப் ఫిబ్రవరి ఫిబ్ర ಫೆಬ್ರವರಿ ಫೆಬ್ರ ഫെബ്രുവരി ഫെബ്രു กุมภาพันธ์ กพ ກຸມພາ
    ກພ កុម្ភៈ ဖေဖော်ဝါရီ ဖေ ፌብሩዋሪ ፌብ පෙබරවාරි
    feber pebruari φεβρουαριοσ
  `,
  `
    ozujka ozujak ozu marta mawrth maw martxoak martxoaren martxoa mac marso machi marzu marto maerz
    मार्च сакавік сакавіка сак наурыз нау մարտ մարտի մրտ მარტი მარ مارچ مارت يازار اذار মার্চ মাৰ্চ
    માર્ચ ਮਾਰਚ ମାର୍ଚ୍ଚ மார்ச் மார் మార్చి ಮಾರ್ಚ್ മാർച്ച് മാർ มีนาคม มีค ມີນາ ມນ មីនា မတ် ማርች මාර්තු
    μαρτιοσ
  `,
  `
    travnja travanj tra prill pri aibrean aib ebrill ebr apirilak apirilaren apirila api aprel aprilo abrell
    अपरैल अप्रैल красавік красавіка кра сәуір сәу ապրիլ ապրիլի ապր აპრილი აპრ اوريل اپريل ياپرېل نيسان افريل
    एप्रिल एप्रि अप्रिल এপ্রিল এপ্রি এপ্ৰিল એપ્રિલ ਅਪ੍ਰੈਲ ਅਪ੍ਰੈ ଅପ୍ରେଲ ஏப்ரல் ஏப் ఏప్రిల్ ఏప్రి
    ಏಪ್ರಿಲ್ ಏಪ್ರಿ ഏപ്രിൽ ഏപ്രി เมษายน เมย ເມສາ ມສ មេសា ဧပြီ ኤፕሪል ኤፕሪ අප්රේල්
    απριλιοσ
  `,
  `
    svibnja svibanj svi bealtaine beal maiatzak maiatzaren maiatza mejju mej majo mee maaie
    मई мамыр мам մայիս մայիսի մյս მაისი მაი مه مي ميي مۍ يايار ايار मे মে મે ਮਈ ମଇ மே మే ಮೇ മേയ്
    พฤษภาคม พค ພຶດສະພາ ພພ ឧសភា မေ ሜይ මැයි
    μαιοσ
  `,
  `
    lipnja lipanj qershor qer meitheamh meith mehefin meh ekainak ekainaren ekaina eka xuno hunyo hun junie
    iyun iyn gunju gun
    जून чэрвень чэрвеня чэр јуни маусым мау հունիս հունիսի հնս ივნისი ივნ ژوين جون يىيۇن حوزەيران جوان
    حزيران जुन জুন જૂન ਜੂਨ ଜୁନ ஜூன் జూన్ ಜೂನ್ ജൂൺ มิถุนายน มิย ມິຖຸນາ ມິຖ មិថុនា ဇွန် ጁን ජූනි
    ιουνιοσ
  `,
  `
    srpnja srpanj korrik korr iuil gorffennaf gor gorff uztailak uztailaren uztaila uzt xullo xul julai
    hulyo hul julie iyul iyl lulju lul
    जुलाई जुल ліпень ліпеня ліп јули шілде шіл հուլիս հուլիսի հլս ივლისი ივლ ژوييه جولاي جولايي يىيۇل تەمووز
    يوليوز جويلية تموز जुलै জুলাই জুল જુલાઈ ਜੁਲਾਈ ਜੁਲਾ ଜୁଲାଇ ஜூலை జులై ಜುಲೈ ജൂലൈ กรกฎาคม กค ກໍລະກົດ
    ກລ កក្កដា ဇူလိုင် ဇူ ጁላይ ජූලි
    ιουλιοσ
  `,
  `
    kolovoza kolovoz kol gusht gush lunasa lun awst abuztuak abuztuaren abuztua abu ogos ogo agosti avqust
    avq awwissu aww augusto
    अगस्त अग жнівень жніуня жні аугуст ауг тамыз там օգոստոս օգոստոսի օգս აგვისტო აგვ اوت اگوست اگست اګست
    ياۋغۇست ياب غشت اب ऑगस्ट ऑग अगस्ट আগস্ট অগাস্ট আগষ্ট আগ ઑગસ્ટ ਅਗਸਤ ਅਗ ଅଗଷ୍ଟ ஆகஸ்ட் ஆக ఆగస్టు ఆగ
    ಆಗಸ್ಟ್ ಆಗ ഓഗസ്റ്റ് ഓഗ สิงหาคม สค ສິງຫາ ສຫ សីហា ဩဂုတ် ኦገስት ኦገስ අගෝස්තු
    αυγουστοσ
  `,
  `
    rujna rujan ruj septembar shtator sht mfomh medi irailak irailaren iraila ira setyembre septemba
    sentyabr sen sentabr settembru septembro septimber
    सितम्बर सित सितंबर верасень верасня қыркүиек қыр սեպտեմբեր սեպտեմբերի սեպ სექტემბერი სექ سپتامبر ستمبر
    سپتمبر سېپتمبر سېنتەبىر يەيلوول شتنبر ايلول सप्टेंबर सप्टें सेप्टेम्बर সেপ্টেম্বর সেপ্ট সেপ
    ছেপ্তেম্বৰ ছেপ্তে સપ્ટેમ્બર સપ્ટે ਸਤੰਬਰ ਸਤੰ ସେପ୍ଟେମ୍ବର செப்டம்பர் செப் సెప్టెంబర్ సెప్టెం ಸೆಪ್ಟೆಂಬರ್
    ಸೆಪ್ಟೆಂ സെപ്റ്റംബർ സെപ്റ്റം กันยายน กย ກັນຍາ ກຍ កញ្ញា စက်တင်ဘာ စက် ሴፕቴምበር ሴፕቴ සැප්තැම්බර්
    setiembre σεπτεμβριοσ
  `,
  `
    oktobar tetor tet dfomh hydref hyd urriak urriaren urria urr oktubre oktoba oktyabr oktabr ottubru
    oktobro
    अक्तूबर अक्तू अक्टू अक्टूबर кастрычнік кастрычніка кас қазан қаз հոկտեմբեր հոկտեմբերի հոկ ოქტომბერი ოქტ اكتبر
    يۆكتەبىر ऑक्टोबर ऑक्टो अक्टोबर অক্টোবর অক্টো অক্টোবৰ ઑક્ટોબર ઑક્ટો ਅਕਤੂਬਰ ਅਕਤੂ ଅକ୍ଟୋବର
    அக்டோபர் அக் అక్టోబర్ అక్టో ಅಕ್ಟೋಬರ್ ಅಕ್ಟೋ ഒക്ടോബർ ഒക്ടോ ตุลาคม ตค ຕຸລາ ຕລ តុលា အောက်တိုဘာ အောက်
    ኦክቶበር ኦክቶ ඔක්තෝබර්
    οκτωβριοσ
  `,
  `
    studenoga studenog studeni stu novembar nentor nen samhain samhna samh tachwedd tach azaroak azaroaren
    azaroa aza nobyembre nob novemba noyabr noy novembru novimber
    नवम्बर नव नवंबर лістапад лістапада ліс қараша қар նոյեմբեր նոյեմբերի նոյ ნოემბერი ნოე نوامبر نومبر نويابىر
    نونبر नोव्हेंबर नोव्हें नोभेम्बर নভেম্বর নভে নৱেম্বৰ নৱে નવેમ્બર નવે ਨਵੰਬਰ ਨਵੰ ନଭେମ୍ବର நவம்பர்
    நவ నవంబర్ నవం ನವೆಂಬರ್ ನವೆಂ നവംബർ നവം พฤศจิกายน พย ພະຈິກ ພຈ វិច្ឆិកា နိုဝင်ဘာ နို ኖቬምበር ኖቬም නොවැම්බර්
    nopember nop νοεμβριοσ
  `,
  `
    prosinca prosinac decembar dhjetor dhj nollaig nollag noll rhagfyr rhag abenduak abenduaren abendua abe
    decembro disember dis disyembre desemba dekabr dek dicembru desimber
    दिसम्बर दिस दिसंबर снежань снежня сне желтоқсан жел դեկտեմբեր դեկտեմբերի դեկ დეკემბერი დეკ دسامبر دسمبر
    دېكابىر دجنبر डिसेंबर डिसें डिसेम्बर ডিসেম্বর ডিসে ডিচেম্বৰ ডিচে ડિસેમ્બર ડિસે ਦਸੰਬਰ ਦਸੰ ଡିସେମ୍ବର
    டிசம்பர் டிச డిసెంబర్ డిసెం ಡಿಸೆಂಬರ್ ಡಿಸೆಂ ഡിസംബർ ഡിസം ธันวาคม ธค ທັນວາ ທວ ធ្នូ ဒီဇင်ဘာ ဒီ ዲሴምበር ዲሴም
    දෙසැම්බර්
    δεκεμβριοσ
  `,
]
