// German profanity. "Fick" (also a name) and "Schwanz" (also a tail) are omitted.

export const GERMAN = `
  scheiße, scheisse, scheiß, scheiss, scheißt, scheißen, geschissen, beschissen, beschissene, beschissenen,
  beschissener, beschissenes, scheißegal, scheissegal, scheißkerl, scheißkerle, scheißdreck, scheißding, scheißhaus,
  verschissen, fick dich, fickt euch, fick deine, ficken, ficke, fickst, fickt, fickte, gefickt, ficker, verfickt,
  verfickte, verfickten, verfickter, verficktes, abgefuckt, abgefuckte, fuck, fucking, arschloch, arschlöcher,
  arschlochs, arschgeige, arschgeigen, arschficker, leck mich am arsch, am arsch lecken, verarscht, verarschen,
  verarsche, wichser, wichsern, wichsen, hurensohn, hurensöhne, hurensohns, hure, huren, fotze, fotzen, nutte,
  nutten, schlampe, schlampen, missgeburt, missgeburten, schwuchtel, schwuchteln, kanake, kanaken, spast, spasti,
  spastis, drecksau, drecksäue, dreckschwein, miststück, mistkerl, pisser, verpiss dich, verpisst euch, verpissen,
  pissnelke, kackbratze, scheißverein, shit, motherfucker`;
