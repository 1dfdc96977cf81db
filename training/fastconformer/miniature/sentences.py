"""English sentences of a few hundred words, drawn from a grammar."""

NAMES = "Anna Peter Maria Thomas Julia Robert Helen Victor Laura Martin Emma Oliver Sophie Daniel Nora Simon".split()
# Names with one pronunciation and two spellings. The second is rare in training, so that only a term makes it likely.
SPELLINGS = {"Katherine": "Catherine", "Stephen": "Steven", "Claire": "Clare", "Philip": "Phillip", "Jeffrey": "Geoffrey", "Eric": "Erik"}
RARE = 0.12
PEOPLE = (
    "doctor nurse teacher farmer pilot driver baker lawyer sailor singer painter engineer student manager captain "
    "neighbour cousin brother sister mother father uncle visitor customer writer"
).split()
THINGS = (
    "window door table letter book bottle camera ticket basket hammer carpet garden kitchen bridge river mountain village "
    "church market station hospital library office factory school engine boat train bicycle lamp mirror blanket pencil "
    "picture box knife cup plate chair clock machine package map key coat jacket hat shoe sandwich apple orange tomato "
    "potato cheese soup bread cake coffee island forest field fence roof wall tower castle museum theatre"
).split()
ADJECTIVES = (
    "old new small large red blue green yellow heavy empty broken clean dirty cold warm quiet famous narrow wooden "
    "strange beautiful expensive cheap important secret golden silver round little tall"
).split()
VERBS = (
    "opened closed painted cleaned repaired carried followed watched remembered forgot found lost bought sold brought "
    "wanted needed liked visited described borrowed returned dropped moved measured finished noticed ordered washed "
    "covered"
).split()
PLAIN = "open close paint clean repair carry follow watch remember find lose buy sell bring visit describe borrow move".split()
PLACES = THINGS[11:22] + "island forest field tower castle museum theatre".split()
TIMES = (
    "yesterday|today|tomorrow|tonight|this morning|last night|on Monday|on Tuesday|on Wednesday|on Thursday|on Friday|on Saturday|"
    "on Sunday|in January|in March|in April|in August|in October|in December|after lunch|before dinner|at midnight|every evening|once again"
).split("|")
NUMBERS = "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty".split()
LATER = "because but while so when".split()
WEATHER = "early late dark quiet cold sunny windy difficult dangerous".split()


def plural(word):
    if word.endswith(("x", "ch", "to")):
        return word + "es"
    if word.endswith("fe"):
        return word[:-2] + "ves"
    if word.endswith("y") and word != "key":
        return word[:-1] + "ies"
    return word + "s"


def with_article(words):
    return ("an " if words[0] in "aeiou" else "a ") + words


class Speaker:
    """Generates sentences. `rng` is a numpy generator."""

    def __init__(self, rng):
        self.rng = rng

    def one(self, choices):
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share):
        return self.rng.random() < share

    def person(self):
        if self.chance(0.25):
            return self.one(NAMES)
        if self.chance(0.2):
            usual = self.one(list(SPELLINGS))
            return SPELLINGS[usual] if self.chance(RARE) else usual
        who = self.one(PEOPLE)
        return with_article(who) if self.chance(0.15) else self.one(["the", "my", "your", "our", "their"]) + " " + who

    def thing(self):
        if self.chance(0.2):
            return f"{self.one(NUMBERS)} {self.one(ADJECTIVES)} {plural(self.one(THINGS))}"
        described = [self.one(ADJECTIVES)] if self.chance(0.55) else []
        return " ".join([self.one(["the", "this", "that", "his", "her", "my", "every"]), *described, self.one(THINGS)])

    def place(self):
        return f"{self.one(['near', 'behind', 'inside', 'beside', 'across from', 'in front of'])} the {self.one(PLACES)}"

    def clause(self):
        kind = self.rng.random()
        if kind < 0.5:
            words = [self.person(), self.one(VERBS), self.thing()]
        elif kind < 0.65:
            words = [self.one(["she", "he", "we", "they", "I", "you"]), self.one(VERBS), self.thing()]
        elif kind < 0.8:
            words = [self.person(), self.one(["will", "can", "should", "could not", "wants to", "must"]), self.one(PLAIN), self.thing()]
        elif kind < 0.9:
            words = ["it", self.one(["was", "is"]), self.one(["very", "too", "already", "almost"]), self.one(WEATHER)]
        else:
            described = with_article(self.one(ADJECTIVES))
            words = ["there", self.one(["was", "is"]), described, self.one(THINGS), self.place()]
        return " ".join(words)

    def sentence(self):
        if self.chance(0.15):
            verb = self.one(["Did", "Will", "Can", "Should"])
            return f"{verb} {self.person()} {self.one(PLAIN)} {self.thing()}?"
        parts = [self.clause()]
        if self.chance(0.25):
            parts += [self.one(LATER), self.clause()]
        if self.chance(0.4):
            parts.append(self.one(TIMES))
        elif self.chance(0.3):
            parts.append(self.place())
        text = " ".join(parts)
        return text[0].upper() + text[1:] + "."
