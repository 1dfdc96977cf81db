// Portuguese profanity. "Fica", "pau", "puto" and "rapariga" have harmless senses and are omitted.

export const PORTUGUESE = `
  merda, merdas, merdoso, merdinha, caralho, caralhos, caralhada, carago, foda, fodas, foda-se, fode, fodem, foder,
  fodeu, fodi, fodido, fodida, fodidos, fodidas, fodendo, fodam, fodão, fodona, puta, putas, putinha, putaria,
  putarias, filho da puta, filhos da puta, filha da puta, pqp, porra, porras, buceta, bucetas, boceta, bocetas, cu,
  cus, cuzão, cuzões, cuzona, viado, viados, viadinho, veado de merda, arrombado, arrombada, arrombados, corno de
  merda, punheta, punhetas, punheteiro, piranha de merda, vadia, vadias, vagabunda, vagabundas, babaca, babacas,
  otário de merda, bosta, bostas, cagada, cagar, caguei, piroca, pirocas, rola no cu, xoxota, xota, vai tomar no cu,
  paneleiro, paneleiros, cona, conas, cabrão, cabrões, cabrona, fuck, fucking`;
