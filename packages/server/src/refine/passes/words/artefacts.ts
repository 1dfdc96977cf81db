// Sound captions that recognisers write in brackets.

const SOUNDS = `music|musik|música|musique|musica|muziek|музыка|音楽|음악|applause|applaus|aplausos|applaudissements|applausi|拍手|laughter|laughs?|laughing|
  gelächter|risas|rires|risate|gelach|risos|silence|silent|stille|silencio|silêncio|blank_audio|blank audio|noise|background noise|static|
  coughs?|coughing|sighs?|sneezes?|sniffs?|clears throat|beep|beeping|inaudible|unintelligible|indistinct|no audio|no speech|sound|
  phone ringing|phone rings|bell rings|door opens|door closes|crowd cheering|cheering|typing|keyboard clicking|footsteps|
  speaking in foreign language|speaking foreign language|foreign language|upbeat music|soft music|gentle music|dramatic music|music playing|♪|♫`;

export const SOUND_CAPTION = new RegExp(`^(?:${SOUNDS.replace(/\s*\n\s*/gu, '')})$`, 'iu');
