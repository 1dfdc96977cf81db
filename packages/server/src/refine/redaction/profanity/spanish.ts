// Spanish profanity. "Polla", "concha", "coger", "pajero" and "hostia" have harmless senses and are omitted.

export const SPANISH = `
  mierda, mierdas, mierdoso, mierdosa, joder, jodes, jode, joden, jodido, jodida, jodidos, jodidas, jódete, jodete,
  jodiendo, jodan, jodas, puta, putas, puto, putos, putada, putadas, putísimo, hijoputa, hijoputas, hijueputa,
  hideputa, puteando, putear, cabrón, cabron, cabrona, cabrones, cabronazo, cabronada, coño, coños, gilipollas,
  gilipollez, gilipolleces, soplapollas, comemierda, comemierdas, cagada, me cago en, cagarse en, cojones, cojonudo,
  cojonuda, acojonante, acojonado, acojonada, descojonar, carajo, pendejo, pendeja, pendejos, pendejas, pendejada,
  pendejadas, verga, vergas, chingar, chinga, chingas, chingada, chingado, chingados, chingadera, chingaderas,
  chingón, chingona, chíngate, chingate, culero, culera, culeros, mamahuevo, boludo, boludos, pelotudo, pelotuda,
  pelotudos, forro de mierda, malparido, malparida, malparidos, maricón, maricones, marica, maricas, zorra de
  mierda, conchetumadre, huevón, huevones, weón, fuck, fucking`;
