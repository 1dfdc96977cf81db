// English profanity. Words that also have a harmless sense ("cock", "dick", "ass", "bloody") are omitted.

export const ENGLISH = `
  fuck, fucks, fucked, fucker, fuckers, fuckin, fucking, fuckup, fuckups, fuckwit, fuckwits, fuckface, fuckhead,
  motherfuck, motherfucker, motherfuckers, motherfuckin, motherfucking, clusterfuck, mindfuck, unfuck, unfucking,
  absofuckinglutely, shit, shits, shitted, shitting, shitty, shittier, shittiest, shite, shitshow, shithead,
  shitheads, shithole, shitholes, shitstorm, shitload, shitloads, shitface, shitfaced, shitbag, bullshit, bullshits,
  bullshitted, bullshitter, bullshitting, horseshit, dipshit, dipshits, apeshit, batshit, dogshit, chickenshit,
  bitch, bitches, bitched, bitching, bitchy, cunt, cunts, cunty, asshole, assholes, arsehole, arseholes, asshat,
  asshats, asswipe, asswipes, dumbass, dumbasses, dickhead, dickheads, dickwad, bastard, bastards, goddamn,
  goddamned, goddamnit, cocksucker, cocksuckers, cocksucking, wanker, wankers, wanking, twat, twats, bollocks, slut,
  sluts, slutty, whore, whores, faggot, faggots, nigger, niggers, motherfucka, pussies, douchebag, douchebags, piss
  off, pissed off, pissing off, suck my dick, suck my cock, jerk off, jerking off`;
