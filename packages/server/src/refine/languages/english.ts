// Word lists and spoken marks of English.
import { phrases, words } from '../words.ts';
import type { Language } from './language.ts';

export const english: Language = {
  code: 'en',
  fillers: words(`um umm ummm uh uhh uhhh uhm uhmm erm ermm er hmm hmmm hm hmmmm mm mmm mmmm eh ehm ah ahh ahm em`),
  collapsible:
    words(`i we you he she they it's i'm i'll i've i'd we're we'll we've you're they're he's she's that's there's
    the a an and but or if of to for from with at by as my your our their his this these those am
    what when where who why how which because then than just also let's let can could would should
    have has did does don't didn't can't won't isn't into about not be been going gonna want it some any us them me
    need think know get got make take see say said says went come came put use used`),
  corrections: phrases(
    `no wait sorry, oh wait no, oh no sorry, no i mean, sorry i mean to say, sorry i meant to say,
    i meant to say, sorry i meant, sorry i mean, wait i mean, or should i say, let me correct that,
    let me rephrase, no no no, no no, no wait, wait no, no sorry, sorry no, oh sorry, oops sorry, wait sorry,
    no actually, actually no, or actually, well actually, or rather, no make it, no make that,
    actually make it, actually make that, sorry make that, make that, i mean, i meant, excuse me, my mistake,
    scratch that, strike that, correction, rather, sorry, apologies, pardon, actually, oops, whoops, wait,
    nope, no`,
  ),
  weekdays: words('monday tuesday wednesday thursday friday saturday sunday'),
  months: words('january february march april may june july august september october november december'),
  namesAreCapitalised: true,
  marks: [
    { say: 'new paragraph', write: 'paragraph' },
    { say: 'next paragraph', write: 'paragraph', doubtful: true },
    { say: 'new line', write: 'line' },
    { say: 'newline', write: 'line' },
    { say: 'next line', write: 'line', doubtful: true },
    { say: 'bullet point', write: 'bullet' },
    { say: 'next bullet', write: 'bullet' },
    { say: 'new bullet', write: 'bullet' },
    { say: 'full stop', write: '.' },
    { say: 'question mark', write: '?' },
    { say: 'exclamation mark', write: '!' },
    { say: 'exclamation point', write: '!' },
    { say: 'semicolon', write: ';' },
    { say: 'semi colon', write: ';' },
    { say: 'comma', write: ',' },
    { say: 'period', write: '.', doubtful: true },
    { say: 'colon', write: ':', doubtful: true },
    { say: 'dot dot dot', write: '…' },
    { say: 'ellipsis', write: '…', doubtful: true },
  ],
  determiners:
    words(`a an the this that these those each every another any some no one two three first second third last next
    extra missing oxford serial my your our his her their its of with without or word words called named add adds adding put puts
    putting use uses using used insert inserting remove removing delete deleting say says said saying need needs type typed press
    inverted like as single final trailing is was than for in on after before between big little same whole`),
  common:
    words(`the and to of is it that you i in was for on with we are have this not but be my at they so just what do can
    like your if about there he she out up yes okay please thank call me from an or hello hi um uh need would will our`),
  abbreviations: words('mr mrs ms dr prof st jr sr vs etc inc ltd no e.g. i.e. approx dept ave blvd rd'),
};
