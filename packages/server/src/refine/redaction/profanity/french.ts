// French profanity. "Chatte", "queue" and "baiser" have harmless senses and are omitted.

export const FRENCH = `
  merde, merdes, merdique, merdiques, merdeux, merdeuse, emmerde, emmerdes, emmerdent, emmerder, emmerdé, emmerdée,
  emmerdement, emmerdements, emmerdeur, emmerdeurs, emmerdeuse, démerde, démerder, putain, putains, pute, putes,
  fils de pute, con, cons, conne, connes, connard, connards, connasse, connasses, connerie, conneries, déconner,
  déconne, déconnes, déconné, enculé, enculés, enculée, enculer, encule, enculeur, salope, salopes, salopard,
  salopards, saloperie, saloperies, salaud, salauds, bordel, bite, bites, couille, couilles, couillon, couillons,
  couillonne, branleur, branleurs, branleuse, branler, branlette, foutre, foutu, foutue, foutus, foutues, va te
  faire foutre, fous le camp, se foutre, m'en fous, t'en fous, s'en fout, nique, niquer, niqué, niquée, niquent,
  ntm, pédé, pédés, tafiole, tafioles, tarlouze, pouffiasse, pouffiasses, garce, garces, chier, chiant, chiante,
  chiants, chiantes, chieur, chieuse, fait chier, trou du cul, trous du cul, négro, négros, bougnoule, bougnoules,
  fuck, fucking`;
