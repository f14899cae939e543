import { splitList } from './split-list.ts'

/** Month names as registries write them. A longer word also matches by its first three letters. */
const MONTHS: readonly (readonly string[])[] = [
  splitList(
    `jan, januar, january, janvier, enero, ene, janeiro, gennaio, gen, januari, tammi, styczen, sty, ledna, led, ocak, oca, янв, января, sijecanj`,
  ),
  splitList(
    `feb, februar, february, fevrier, fev, febrero, fevereiro, febbraio, februari, helmi, luty, lut, unora, uno, subat, sub, фев, февраля, veljaca`,
  ),
  splitList(`mar, marz, march, mars, marzo, marco, maart, mrt, maalis, marzec, brezna, bre, mart, мар, марта, ozujak`),
  splitList(
    `apr, april, avril, avr, abril, abr, aprile, huhti, kwiecien, kwi, dubna, dub, nisan, nis, апр, апреля, travanj`,
  ),
  splitList(`may, mai, mayo, maio, mag, maggio, mei, maj, touko, kvetna, kve, mayis, май, мая, svibanj`),
  splitList(
    `jun, june, juni, juin, junio, junho, giu, giugno, kesa, czerwiec, cze, cervna, haziran, haz, июн, июня, lipanj`,
  ),
  splitList(
    `jul, july, juli, juillet, julio, julho, lug, luglio, heina, lipiec, lip, cervence, temmuz, tem, июл, июля, srpanj`,
  ),
  splitList(
    `aug, august, aout, ago, agosto, augustus, elo, sierpien, sie, srpna, srp, agustos, agu, авг, августа, kolovoz`,
  ),
  splitList(
    `sep, sept, september, septembre, septiembre, setiembre, set, setembro, settembre, syys, wrzesien, wrz, zari, eylul, eyl, сен, сентября, rujan`,
  ),
  splitList(
    `oct, october, okt, oktober, octobre, octubre, out, outubro, ott, ottobre, loka, pazdziernik, paz, rijna, rij, ekim, eki, окт, октября, listopada`,
  ),
  splitList(
    `nov, november, novembre, noviembre, novembro, marras, listopad, lis, listopadu, kasim, kas, ноя, ноября, studeni`,
  ),
  splitList(
    `dec, december, dez, dezember, decembre, diciembre, dic, dezembro, dicembre, joulu, grudzien, gru, prosince, pro, aralik, ara, дек, декабря, prosinac`,
  ),
]

const BY_NAME: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, at) => names.map((name): [string, number] => [name, at + 1])),
)

/** 1 to 12; undefined if the word is not a month. */
export function monthOf(word: string): number | undefined {
  const name = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  return BY_NAME.get(name) ?? (name.length > 3 ? BY_NAME.get(name.slice(0, 3)) : undefined)
}

/** Hours ahead of UTC. An ambiguous abbreviation has the meaning of the registry that uses it. */
export const ZONES: ReadonlyMap<string, number> = new Map(
  splitList(`
    utc 0, gmt 0, z 0, wet 0, west 1, bst 1, ist 1, cet 1, cest 2, met 1, mest 2, sast 2, eet 2, eest 3, msk 3, msd
    4, idt 3, trt 3, irst 3.5, gst 4, pkt 5, uzt 5, almt 6, ict 7, wib 7, hkt 8, sgt 8, myt 8, awst 8, jst 9, kst 9,
    aest 10, aedt 11, nzst 12, nzdt 13, est -5, edt -4, cst -6, cdt -5, mst -7, mdt -6, pst -8, pdt -7, art -3, brt
    -3, brst -2, clt -4, clst -3, cot -5, pet -5, uyt -3, vet -4, bot -4, ect -5
  `).map((zone) => {
    const [name = '', hours] = zone.split(/\s+/)
    return [name, Number(hours)] as const
  }),
)
