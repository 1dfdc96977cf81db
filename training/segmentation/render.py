"""Makes the sound and the labels of scenes on the GPU: voices, rooms, lines, noise."""
import numpy as np
import torch

from .frames import CENTRES, RATE, SAMPLES
from .pool import HOP
from .powerset import BY_BITS, SPEAKERS

VARIANTS = 2
PADDED = 168000
ROOM = 8000
FADE = 80
CONTROL_HERTZ = (0, 120, 300, 700, 1500, 3000, 5000, 8000)


class Renderer:
    def __init__(self, samples, active, device):
        self.device = device
        self.samples = torch.from_numpy(samples).to(device)
        self.active = torch.from_numpy(active).to(device)
        self.times = torch.arange(SAMPLES, device=device, dtype=torch.float32)
        self.centres = torch.from_numpy(CENTRES).to(device, torch.float32)
        self.classes = torch.from_numpy(BY_BITS).to(device)
        hertz = torch.linspace(0, RATE / 2, PADDED // 2 + 1, device=device)
        self.hertz = hertz
        control = torch.tensor(CONTROL_HERTZ, device=device, dtype=torch.float32)
        right = torch.searchsorted(control, hertz.clamp(max=RATE / 2 - 1), right=True).clamp(1, len(control) - 1)
        self.left, self.right = right - 1, right
        self.share = (hertz - control[right - 1]) / (control[right] - control[right - 1])
        self.decay = torch.arange(ROOM, device=device) / RATE

    def uniform(self, low, high, *shape):
        return torch.rand(*shape, device=self.device) * (high - low) + low

    def chance(self, probability, *shape):
        return (torch.rand(*shape, device=self.device) < probability).float()

    def equaliser(self, decibels):
        """(…, control points) in dB to (…, frequencies) as factors."""
        return 10 ** (torch.lerp(decibels[..., self.left], decibels[..., self.right], self.share) / 20)

    def locate(self, scene, times):
        """For one speaker: which event each time falls into, the place in its clip, and whether it is inside."""
        times = times.expand(len(scene["start"]), -1).contiguous()
        event = torch.searchsorted(scene["start"], times, right=True) - 1
        known = event.clamp(min=0)
        pick = lambda name: torch.gather(scene[name], 1, known)
        since = times - pick("start")
        inside = (event >= 0) & (since < pick("length"))
        return known, since, inside, pick

    def voice(self, scene):
        """(N, VARIANTS, samples): the sound of one speaker, each event in one of the variants."""
        _, since, inside, pick = self.locate(scene, self.times)
        position = torch.where(inside, since * pick("speed"), torch.zeros_like(since))
        whole = position.floor()
        place = (pick("place") + whole.long()).clamp(0, len(self.samples) - 2)
        sound = torch.lerp(self.samples[place].float(), self.samples[place + 1].float(), position - whole) / 32768
        fade = (torch.minimum(since, pick("length") - since) / FADE).clamp(0, 1)
        sound = sound * fade * pick("gain") * inside
        variant = pick("variant")
        return torch.stack([sound * (variant == each) for each in range(VARIANTS)], 1)

    def activity(self, scene):
        _, since, inside, pick = self.locate(scene, self.centres)
        place = (pick("place") + (since.clamp(min=0) * pick("speed")).long()).clamp(0, len(self.samples) - 1)
        return self.active[place // HOP] & inside

    def rooms(self, count):
        """Spectra of rooms: direct sound, then noise that dies away. A third of the scenes has hardly any."""
        reverberation = self.uniform(0.1, 0.6, count, 1, 1)
        below = self.uniform(3, 16, count, 1, 1) + 25 * self.chance(0.33, count, 1, 1)
        tail = torch.randn(count, SPEAKERS, ROOM, device=self.device) * torch.exp(-6.9 * self.decay / reverberation)
        tail[..., :64] = 0
        tail = tail * 10 ** (-below / 20) / tail.norm(dim=-1, keepdim=True)
        tail[..., 0] = 1
        return torch.fft.rfft(tail, PADDED)

    def line(self, telephone):
        """The band of a telephone line, other in each scene; all of the band elsewhere."""
        count = len(telephone)
        low = self.uniform(80, 350, count, 1)
        high = self.uniform(3000, 3900, count, 1)
        band = torch.sigmoid((self.hertz - low) / 25) * torch.sigmoid((high - self.hertz) / 40)
        # Some microphones hear far less of the high frequencies.
        fall = self.uniform(0, 24, count, 1) * self.chance(0.6, count, 1) * torch.log10((self.hertz / 300).clamp(min=1))
        wide = torch.sigmoid((self.hertz - self.uniform(-200, 90, count, 1)) / 20) * 10 ** (-fall / 20)
        return torch.where(telephone[:, None], band, wide)

    def noise(self, count):
        """Spectra of noise with a random colour, power about 1 in the time domain."""
        white = torch.fft.rfft(torch.randn(count, SAMPLES, device=self.device), PADDED)
        colour = self.uniform(-18, 6, count, len(CONTROL_HERTZ)) - self.uniform(0, 1, count, 1) * torch.linspace(0, 24, len(CONTROL_HERTZ), device=self.device)
        shaped = white * self.equaliser(colour - colour.mean(1, keepdim=True))
        return shaped

    def babble(self, count):
        """Distant speech of the pool that no label mentions."""
        start = torch.randint(0, len(self.samples) - SAMPLES, (count, 4, 1), device=self.device)
        sound = self.samples[start + torch.arange(SAMPLES, device=self.device)].float().sum(1) / 32768
        return torch.fft.rfft(sound, PADDED)

    def scenes(self, arrays):
        """arrays of scenes.batch to sound (N, 1, samples) and classes (N, frames)."""
        scene = {name: torch.from_numpy(array).to(self.device) for name, array in arrays.items()}
        telephone = scene.pop("telephone")
        count = len(telephone)
        rooms = self.rooms(count)
        tint = self.uniform(-5, 5, count, SPEAKERS, VARIANTS, len(CONTROL_HERTZ))
        # On a telephone each voice has its line; in a room the turns of one voice differ a little.
        shared = self.uniform(-6, 6, count, SPEAKERS, 1, len(CONTROL_HERTZ))
        tint = torch.where(telephone[:, None, None, None], 0.3 * tint + shared, tint)
        mixed, bits = 0, 0
        for speaker in range(SPEAKERS):
            one = {name: array[:, speaker].contiguous() for name, array in scene.items()}
            spectrum = torch.fft.rfft(self.voice(one), PADDED) * self.equaliser(tint[:, speaker])
            mixed = mixed + spectrum.sum(1) * rooms[:, speaker]
            bits = bits + (self.activity(one).long() << speaker)
        speech = torch.fft.irfft(mixed * self.line(telephone), PADDED)[:, :SAMPLES]
        level = speech.square().mean(1, keepdim=True).sqrt().clamp(min=1e-3)
        background = torch.fft.irfft(self.noise(count) * self.line(telephone), PADDED)[:, :SAMPLES]
        background = background / background.square().mean(1, keepdim=True).sqrt()
        # Most recordings are fairly clean, a few are not.
        below = self.uniform(5, 60, count, 1)
        sound = speech + background * level * 10 ** (-below / 20)
        some = torch.nonzero(self.chance(0.08, count))[:, 0]
        if len(some):
            talk = torch.fft.irfft(self.babble(len(some)) * self.line(telephone[some]), PADDED)[:, :SAMPLES]
            talk = talk / talk.square().mean(1, keepdim=True).sqrt().clamp(min=1e-4)
            sound[some] += talk * level[some] * 10 ** (-self.uniform(14, 26, len(some), 1) / 20)
        return self.coded(sound, telephone)[:, None], self.classes[bits]

    def coded(self, sound, telephone):
        """Levels as they come, 8-bit companding on some telephone lines, clipping here and there."""
        peak = sound.abs().amax(1, keepdim=True).clamp(min=1e-4)
        sound = sound / peak * 10 ** (self.uniform(-26, 0, len(sound), 1) / 20)
        folded = torch.sign(sound) * torch.log1p(255 * sound.abs()) / np.log(256)
        rough = torch.round(folded * 127) / 127
        companded = torch.sign(rough) * torch.expm1(rough.abs() * np.log(256)) / 255
        sound = torch.where(telephone[:, None] & (torch.rand(len(sound), 1, device=self.device) < 0.4), companded, sound)
        limit = torch.where(torch.rand(len(sound), 1, device=self.device) < 0.05, sound.abs().amax(1, keepdim=True) * 0.4, torch.full_like(peak, 2.0))
        return torch.maximum(torch.minimum(sound, limit), -limit)
