// Dutch profanity. Disease names ("kanker", "tering") and "eikel" have plain senses, so only compounds are listed.

export const DUTCH = `
  godverdomme, godverdorie, verdomme, gvd, godsamme, klote, kloten, klotezooi, kloteding, klootzak, klootzakken,
  kut, kutten, kutding, kutzooi, kutwijf, kutwijven, kuthond, kutweer, kutzak, klotewijf, klotejong, lul, lullen,
  lulhannes, slappe lul, hoer, hoeren, hoerenzoon, hoerenjong, hoerig, slet, sletten, sletje, teringlijer,
  teringlijers, tyfuslijer, tyfushond, kankerlijer, kankerlijers, kankerhoer, kankerhond, kankerzooi, kankerkop,
  pleurislijer, pokkewijf, pokkeding, neuk, neuken, neukt, neukte, geneukt, neukertje, neuker, mierenneuker,
  mierenneuken, mierenneukers, flikker op, sodemieter op, opgesodemieterd, rot op, oprotten, opgerot, optiefen,
  opgetieft, optyfen, pis op, stront, strontvervelend, strontzat, schijt, schijten, schijterig, zeikerd, zeiken,
  zeik, gezeik, zeikwijf, flikkers, motherfucker, fuck, fucking, fucked, shit, bitch, bitches`;
