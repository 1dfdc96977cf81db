// Italian profanity. "Troia" (also a city) and "scopare" (also to sweep) are omitted.

export const ITALIAN = `
  cazzo, cazzi, cazzata, cazzate, cazzone, cazzoni, cazzuto, cazzeggiare, cazzeggio, incazzato, incazzata,
  incazzati, incazzate, incazzarsi, incazzare, incazzo, incazza, merda, merde, merdoso, merdosa, merdata, stronzo,
  stronza, stronzi, stronze, stronzata, stronzate, vaffanculo, affanculo, fanculo, coglione, cogliona, coglioni,
  coglionata, rincoglionito, rincoglionita, rincoglioniti, puttana, puttane, puttanata, puttanate, puttaniere,
  sputtanare, sputtanato, figlio di troia, figli di troia, minchia, minchione, minchiata, minchiate, figa, fighe,
  fica, bastardo, bastarda, bastardi, bastarde, zoccola, zoccole, bagascia, baldracca, pompino, pompini, culo, culi,
  inculare, inculato, inculata, incula, leccaculo, leccaculi, rompicoglioni, trombare, frocio, froci, finocchio di
  merda, ricchione, ricchioni, mignotta, mignotte, sticazzi, porca puttana, porco dio, porca madonna, dio cane,
  negro di merda, fuck, fucking`;
