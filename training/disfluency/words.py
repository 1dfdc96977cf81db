"""English word lists: fillers, correction cues, and groups of words that can replace each other."""

FILLERS = set("um umm ummm uh uhh uhm uhmm er err errr erm hmm hm mm ah ahh eh em ehm ugh".split())
# Fillers, repeated according to their frequency in transcripts of speech.
FILLER_CHOICES = ["um"] * 8 + ["uh"] * 9 + ["er"] * 2 + ["erm"] * 2 + ["uhm", "umm", "hmm", "ah", "uhh", "eh", "mm"]

# Correction cues with their weights.
CUES = {
    "no": 14, "no wait": 9, "wait no": 5, "wait": 5, "i mean": 10, "sorry": 8, "no sorry": 6, "sorry no": 2,
    "or rather": 6, "rather": 2, "make that": 3, "no make that": 3, "or no make that": 1, "or make that": 1,
    "scratch that": 3, "no scratch that": 2, "strike that": 1, "actually": 6, "no actually": 4, "actually no": 4,
    "or actually": 2, "well actually": 2, "oh wait": 2, "oh wait no": 2, "or wait": 2, "or wait no": 1,
    "hold on": 1, "no hold on": 1, "i meant": 4, "i meant to say": 2, "no i meant to say": 1, "sorry i meant": 2,
    "sorry i mean": 3, "no i mean": 4, "no i meant": 2, "wait i mean": 1, "wait i meant": 1, "excuse me": 1,
    "oh excuse me": 0.4, "excuse me i meant": 0.5, "pardon me": 1, "my bad": 1, "my mistake": 1, "oops": 2,
    "oops no": 0.5, "whoops": 1, "oh sorry": 1, "oops sorry": 1, "correction": 2, "let me correct that": 0.6,
    "or should i say": 1, "nope": 1, "no no": 4, "no no no": 1, "no no wait": 1, "oh no": 3, "oh no sorry": 0.5,
    "uh no": 3, "um no": 3, "er no": 1, "uh i mean": 3, "um i mean": 3, "or uh": 2, "or um": 2, "or": 2,
    "uh sorry": 1, "um sorry": 1, "uh actually": 1, "um actually": 1, "uh": 4, "um": 4, "er": 2, "erm": 2,
    "uh wait": 1, "um wait": 1, "well no": 1, "well i mean": 1, "well": 0.7, "or i mean": 1, "or no": 3,
    "or no wait": 1, "or no rather": 1, "no rather": 1, "i should say": 1, "no that's wrong": 1,
    "that's not right": 0.7, "no not that": 0.7, "let me rephrase": 0.6, "let me rephrase that": 0.6,
    "sorry let me rephrase": 0.4, "let me start over": 0.4, "what i meant was": 0.6, "what i meant to say was": 0.4,
    "no instead": 0.5, "instead": 0.4, "or let's say": 0.6, "no let's say": 0.6, "let's make that": 0.5,
    "no make it": 1.2, "make it": 0.6, "actually make that": 1, "actually make it": 0.7, "sorry make that": 0.7,
    "more specifically": 0.5, "more precisely": 0.4, "or better": 0.4, "or better yet": 0.3, "never mind": 0.5,
    "no never mind": 0.4, "forget that": 0.5, "ah no": 1, "ah sorry": 0.6, "apologies": 0.4, "no wait sorry": 0.8,
    "wait sorry": 0.8, "hang on": 0.5, "no hang on": 0.4, "on second thought": 0.4, "i take that back": 0.4,
    "no tell me": 0.5, "wait tell me": 0.3, "or tell me": 0.3, "ok no": 0.4, "okay no": 0.4, "oh i mean": 0.6,
}
CUE_WORDS = set(word for cue in CUES for word in cue.split()) | set("umm nah whoa bad hmm mistake not tell me say".split())
# A restart often has no cue, or only a light one.
RESTART_CUES = ["", "", "", "", "", "uh", "um", "well", "i mean", "no", "wait", "sorry", "actually", "no wait", "okay", "so", "you know", "or", "er"]

QUESTION_WORDS = set("what who when where which why how whose whom".split())
NUMBERS = ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
           "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million").split()
GROUPS = {
    "day": "monday tuesday wednesday thursday friday saturday sunday".split(),
    "month": "january february march april may june july august september october november december".split(),
    "number": NUMBERS,
    "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
    "name": ("john mary peter paul anna sarah mike michael david james robert linda susan karen lisa emma olivia noah liam jack "
             "tom harry george alice bob carol dave frank grace henry ivan julia kevin laura martin nancy oliver patricia "
             "rachel steve tina victor wendy maria jose chris alex sam kate ben daniel emily sophie lucas").split(),
    "city": ("london paris berlin madrid rome boston chicago denver seattle dallas austin houston phoenix toronto sydney tokyo "
             "delhi dublin oslo vienna lisbon munich milan atlanta miami portland oakland brussels geneva zurich").split(),
    "colour": "red blue green yellow black white purple orange grey brown pink".split(),
    "date": "today tomorrow tonight yesterday".split(),
    "part": "morning afternoon evening noon midnight".split(),
    "food": "pizza pasta salad soup burger chicken beef fish rice coffee tea juice water beer wine cake bread cheese".split(),
    "role": "mother father brother sister wife husband boss manager doctor lawyer teacher neighbor friend client customer".split(),
    "units": "minutes hours days weeks months years".split(),
    "unit": "minute hour day week month year".split(),
    "side": "left right north south east west".split(),
    "thing": "report invoice contract letter email document file presentation meeting budget proposal agenda ticket order".split(),
    "wh": "what who when where which why how".split(),
    "aux": "is are was were did does do can could will would has have had should".split(),
    "preposition": "in on at by for from to with of during after before".split(),
}
GROUP_OF = {}
for _name, _members in GROUPS.items():
    for _word in _members:
        GROUP_OF.setdefault(_word, _name)
