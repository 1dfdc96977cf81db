"""Templates: clean sentences that look disfluent, which the tagger must not change, and plain dictation."""
import re

from .labels import KEEP
from .words import GROUP_OF, GROUPS

SLOTS = dict(
    GROUPS,
    number=GROUPS["number"][:22],
    adjective="good bad nice happy sad big small long short hard easy important cheap tired busy late cold interesting helpful".split(),
    noun="problem idea plan house car movie book question project team price room office phone window door story game".split(),
    verb="call email visit ask tell help find meet".split(),
)

TRAPS = """
i think that that {noun} is {adjective}|he had had a {adjective} day|i know that that is {adjective}|it was very very {adjective}
it was really really {adjective}|a long long time ago|many many people came|it is much much better|far far away|bye bye {name}
no no no i do not want that|no no please stay|knock knock who is there|a win win for everyone|what it is is a {noun}
the thing is is that it is {adjective}|come on come on|well well well look who it is|there there it will be fine|ha ha that is funny
yeah yeah i know|yes yes of course|thank you thank you so much|again and again|over and over again|step by step|day by day
more and more people|he ran and ran and ran|i will check in in {month}|she moved in in {month}|i gave her her {noun}
what he does does not matter|whatever will be will be|if you can do it do it|they do do that|boys will be boys|enough is enough
no {day} is better for me|no i said {day}|no it was {name} not {name2}|no thanks|no problem|no way|no one came on {day}
there is no {noun}|i have no idea|no i do not think so|no i mean it|i mean it|i mean what i say|you know what i mean
what do you mean|what i mean is that it is {adjective}|do you mean {day} or {day2}|i did not mean to be {adjective}|i meant every word
what she meant was clear|sorry i am late|i am sorry about the {noun}|sorry about that|i am so sorry|sorry to bother you
sorry for the late reply|i am sorry but {day} does not work for me|sorry i cannot come on {day}|he said sorry and left
please tell {name} i am sorry|better safe than sorry|wait for me at the {noun}|please wait until {day}|i cannot wait|wait a minute
we had to wait {number} {units}|wait for the {noun} and then call {name}|do not wait for {name}|actually i like it
it is actually {adjective}|i actually did that on {day}|did you actually call {name}|that is actually not true
make that call to {name}|can you make that happen|make that two please|i would rather go on {day}|i would rather have the {noun}
it is rather {adjective}|rather than {day} let us meet on {day2}|he is {adjective} or rather strange|excuse me where is the {noun}
excuse me sir|pardon me is this seat free|scratch that itch|we barely scratched the surface|strike that balance carefully
workers went on strike that week|the correction was {adjective}|please make a correction to the {noun}|oops i forgot the {noun}
oh no the {noun} is broken|oh well|well actually it is fine|well i think it is {adjective}|hold on to the {noun}
hold on a second please|hang on i will be right back|on second thought it is {adjective}|never mind the {noun}
my bad habits are many|it was my mistake|that was my mistake and i apologize|let me correct that {noun} for you
let me rephrase the question for {name}|let me start over with the {noun}|forget that {noun}|not {day} but {day2}
it is on {day} not {day2}|not {name} but {name2}|it was not {name} it was {name2}|i want the {colour} one not the {colour2} one
either {day} or {day2}|{day} or {day2} works for me|{number} or {number2} {units}|between {number} and {number2}
from {number} to {number2}|from {day} to {day2}|{day} and {day2}|{day} {day2} and {day3}|{name} {name2} and {name3}
call {name} {name2} and {name3}|buy {food} {food2} and {food3}|we need {food} {food2} {food3} and {food4}|{number} {number2} {number3}
my number is {number} {number} {number2} {number2} {number3} {number}|the code is {number} {number} {number} {number2}
dial {number} {number} {number2}|it is {number} {number2} {number2} {number3} main street|twenty twenty was a {adjective} year
room {number} {number} {number2}|flight {number} {number} {number}|nine one one|oh oh seven|the score was {number} {number2}
turn left and then left again|go {side} then {side2}|it can be {adjective} or {adjective2}|is it {adjective} or {adjective2}
is it {day} no it is {day2}|did you say {day} no {day2}|are you free on {day} no but {day2} works|do you want {food} no i want {food2}
is {name} coming no {name2} is|was it {number} no it was {number2}|can we do {day} sorry i can only do {day2}
should i call {name} no call {name2}|i said {day} not {day2}|she said um and then nothing|the word um is a filler
the hospital has an er|take him to the er|he said no wait and then he left|type sorry and press enter
i like {food} and i like {food2}|it looks like {name}|it feels like {day}|like father like son|you know {name} right
as you know {name} left on {day}|do you know {name}|i know you know|get well soon|so do i|so far so good|kind of {adjective}
what kind of {noun} is it|by no means|yes or no|say no to {food}|a {noun} with no {noun2}|point of no return|no comment
no matter what|no longer {adjective}|no more {food}|no sooner had i left than {name} called|is that that {noun} you bought
the {noun} that that man sold|all that that implies|and so on and so forth|run {name} run|never never land|hear hear
such and such a {noun}|face to face|the more the better|please please call me|very very {adjective} {noun}
really really sorry about the {noun}|hello hello can you hear me|testing testing one two three|i was wrong sorry
sorry wrong {noun}|actually {day} is fine|actually {name} is right|no actually it is {adjective}|no that is wrong|that is not right
no not that one|no not {name}|i take that back|let me say that again|my name is {name} {name2} i need to {verb} my {role}
hi this is {name} {name2} i am calling about my {thing}|yes my name is {name} {name2} and i live in {city}
is that {name} no this is {name2} speaking|my name is {name} um i need a {noun}|so my address is {number} {number2} um {city} road
it is {name} with a k not a c|that is {name} uh {name2} is my last name|i need {number} uh {number} in total|it is {number} {number2} um {number3} {number4}
the band is duran duran|she lives in walla walla|we drove to baden baden|he plays in bora bora|the film is called no no nanette
i said no and i meant no|no means no|no is not an answer|the answer is no wait for the next one|say sorry when you mean it
the first the second and the third|i do i really do|you can can't you|it is not that it is {adjective} it is that it is {adjective2}
whether {day} or {day2} does not matter|{name} or rather his {role} will come|i think i know|i think i think too much
i know i know it is {adjective}|what if what if not|the question is the question of the {noun}|who he is is no secret
that was that|it is what it is|i am who i am|where there is {food} there is {food2}|we want {food} and we want it {date}
i want to go to {city} and to {city2}|from {city} to {city2} and from {city2} to {city}|one for you one for me
you said you would call {name}|he told me he told {name}|did he say what he wanted or when he wanted it
when it rains it pours|the {noun} of the {noun2} of the {role}|on {day} on the {ordinal} of {month}|in the {part} in {city}
i am not sure maybe {day}|maybe {name} maybe {name2}|i guess it might be {day} or {day2}|it was probably {name} i think
what century was it and what country|when and where was it|who or what was it|how and why did it happen
"""
FRAMES = """
let's meet on {day}|can we move the {thing} to {day}|the {thing} is due on {day}|i will be there at {number}
book a table for {number} people|send the {thing} to {name}|please email {name} about the {thing}|call {name} on {day}
call my {role}|i need {number} copies of the {thing}|we have {number} {units} left|the flight to {city} leaves at {number}
i am flying to {city} on {day}|remind me to call {name} at {number}|order {number} {food}|i would like some {food}
buy {food} and {food2}|turn {side} at the light|the {thing} was sent in {month}|my appointment is on the {ordinal} of {month}
meet me at {number} {part}|see you {date} {part}|the {colour} car is mine|add {food} to my shopping list
schedule a {thing} with {name} for {day} at {number}|the total comes to {number} dollars|it takes {number} {units}
set a timer for {number} {units}|wake me up at {number}|we live in {city}|he moved from {city} to {city2}|she is my {role}
i talked to {name} {date}|put the {thing} in the {colour} folder|chapter {number} is about {city}|the {ordinal} {thing} is the best
increase the budget by {number} percent|tell {name} that the {thing} is ready|cancel the {thing} on {day}
can you send me the {thing} by {day}|we need to hire {number} people by {month}|the price is {number} dollars per {unit}
are you free on {day}|what time is the {thing} on {day}|is {name} coming {date}|where is the {thing} for {name}
{name} will pick you up at {number}|{day} works for me|{number} people came|deliver it to {city} by {day}
my name is {name} {name2} and i live in {city}|i would like to speak to {name} about my {thing}
"""
TRAPS, FRAMES = ([line for line in text.replace("\n", "|").split("|") if line] for text in (TRAPS, FRAMES))
INTRODUCERS = {"no", "yes", "well", "sorry", "actually", "wait", "oh", "okay", "please"}


def fill(template, rng):
    chosen = {}

    def pick(match):
        slot = match.group(1)
        group = slot.rstrip("0123456789")
        if slot not in chosen:
            free = [word for word in SLOTS[group] if word not in chosen.values()]
            word = rng.choice(free)
            if group == "number" and rng.random() < 0.4:
                word = str(rng.choice((rng.randint(2, 12), rng.randint(10, 99), rng.randint(100, 999), rng.randint(1900, 2030))))
            chosen[slot] = word
        return chosen[slot]

    return re.sub(r"\{(\w+)\}", pick, template)


def trap(rng):
    words = fill(rng.choice(TRAPS), rng).split()
    if rng.random() < 0.6:
        for i in range(len(words) - 1):
            same = words[i] == words[i + 1]
            if (
                (words[i] in INTRODUCERS and rng.random() < 0.6)
                or (same and rng.random() < 0.4)
                or (GROUP_OF.get(words[i], 0) == GROUP_OF.get(words[i + 1], 1) and rng.random() < 0.6)
            ):
                words[i] += ","
        words[-1] += rng.choice("...?!")
    return words, [KEEP] * len(words)


def frame(rng):
    return fill(rng.choice(FRAMES), rng).split()
